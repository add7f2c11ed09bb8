import { problem } from '../../src/error/errors.ts'
import type { Reply } from '../../src/operation/call.ts'
import type { BodyShape, Operation } from '../../src/operation/operation.ts'
import { skip, takePath } from '../../src/operation/path.ts'
import { type ByteSource, wait, waitInAnyMode } from '../../src/operation/steps.ts'
import { limit, operation, timeout } from './host-operations.ts'

/** The most bytes of a form here. */
export const formLimit: number = 256 * 1024 * 1024

const body: BodyShape = {
  mediaTypes: ['application/json'],
  required: true,
  schema: { name: 'Any', schema: {} },
  limit,
  timeout,
  form: { schema: { name: 'AnyForm', schema: {} }, limit: formLimit },
}

/** Reads a form as it arrives. */
type Read = (source: ByteSource) => Promise<object>

/** An operation that takes JSON, and a form that is read like this. */
export const formOperation = (path: string, read: Read): Operation =>
  operation(
    'POST',
    path,
    takePath({
      body,
      ask: () => undefined,
      enter: skip,
      find: skip,
      *validate(bytes) {
        return yield* wait<object>({ as: 'bytes', size: bytes.length })
      },
      *receive(source) {
        return yield* waitInAnyMode(read(source))
      },
      *act(_asked, input) {
        return yield* wait(input)
      },
      reply: (outcome): Reply => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(outcome),
      }),
    }),
    { body },
  )

/** The size of a body, and a sum that depends on the order of its bytes. */
export const sized: Read = async (source) => {
  const seen = tally()
  for await (const chunk of source) seen.add(chunk)
  return { as: 'stream', ...seen.result() }
}

export const tally = () => {
  let size = 0
  let sum = 0
  return {
    add: (chunk: Uint8Array): void => {
      for (const byte of chunk) sum = (sum * 31 + byte) % 1_000_003
      size += chunk.length
    },
    result: () => ({ size, sum }),
  }
}

/** Takes the first bytes, lets go of the rest and refuses. */
const refusing =
  (code: 'invalid_body' | 'request_timeout'): Read =>
  async (source) => {
    for await (const _chunk of source) throw problem(code, 'The first bytes say enough.')
    return {}
  }

/** Forms that are read to their end, or up to some place. */
export const formOperations: readonly Operation[] = [
  formOperation('/forms/', sized),
  formOperation('/forms/misfit', refusing('invalid_body')),
  formOperation('/forms/slow', refusing('request_timeout')),
]
