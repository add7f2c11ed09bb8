import type { Brand } from '../../src/openapi/brand.ts'
import { toOpenApi } from '../../src/openapi/document.ts'
import { openApiOperations } from '../../src/openapi/operations.ts'
import type { Call, Reply } from '../../src/operation/call.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { runSync } from '../../src/operation/steps.ts'
import { samples } from './samples.ts'

/** A request as the operations see it. */
export const callOf = (
  path: string,
  call: Partial<Call> & { readonly headers?: Record<string, string> } = {},
): Call => ({
  method: 'GET',
  path,
  params: {},
  query: '',
  header: (name) => call.headers?.[name],
  request: undefined,
  address: undefined,
  requestId: 'req-1',
  scheme: 'http',
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  ...call,
})

/** The reply of an operation, in the synchronous mode: the stricter of the two. */
export const replyOf = async (operation: Operation, call: Call): Promise<Reply> => {
  const progress = await runSync(operation.run(call))
  if (!('reply' in progress)) throw new Error('It waits for a body.')
  return progress.reply
}

export const textOf = ({ body }: Reply): string =>
  typeof body === 'string' || body === undefined ? (body ?? '') : Buffer.from(body as Uint8Array).toString()

/** The documentation of the samples, and how often its document was built. */
export const documentation = (servers?: readonly { readonly url: string }[], brand: Brand = {}) => {
  const built = { times: 0 }
  const [openapi, docs, asset] = openApiOperations(
    () => {
      built.times += 1
      return toOpenApi(samples, { base: '/api', title: 'A <b> & "c"', ...(servers && { servers }) }, [])
    },
    { brand },
  )
  return { openapi: openapi!, docs: docs!, asset: asset!, built }
}
