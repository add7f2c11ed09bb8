import { isDeepStrictEqual } from 'node:util'
import type { Load } from './messages.ts'

const answer = async (origin: string, { method, paths, body }: Load) => {
  const response = await fetch(origin + (paths[0] ?? '/'), {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    location: response.headers.get('location'),
    text: await response.text(),
  }
}

/** @throws Error where the two servers do not answer alike, to the byte of the body. */
export const assertSame = async (
  name: string,
  load: Load,
  [a, b]: readonly [string, string],
): Promise<void> => {
  const answers = [await answer(a, load), await answer(b, load)] as const
  if (isDeepStrictEqual(answers[0], answers[1]) && answers[0].status < 300) return
  throw new Error(`${name}: the answers differ.\n${JSON.stringify(answers, null, 2)}`)
}
