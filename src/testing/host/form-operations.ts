import { problem } from '../../error/errors.ts'
import type { Reply } from '../../operation/call.ts'
import type { BodyShape, Operation } from '../../operation/operation.ts'
import { skip, takePath } from '../../operation/path.ts'
import { type ByteSource, wait, waitInAnyMode } from '../../operation/steps.ts'
import { limit, operation, timeout } from './operations.ts'

/** The maximum number of bytes of a form. */
export const formLimit: number = 256 * 1024 * 1024

const body: BodyShape = {
  mediaTypes: ['application/json'],
  required: true,
  schema: { name: 'Any', schema: {} },
  limit,
  timeout,
  form: { schema: { name: 'AnyForm', schema: {} }, limit: formLimit },
}

/** Reads a form while it arrives. */
type Read = (source: ByteSource) => Promise<object>

/** Creates an operation that accepts JSON, and forms that `read` reads. */
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

/** Reads the first bytes, leaves the rest to the host, and refuses the request. */
const refusing =
  (code: 'invalid_body' | 'request_timeout'): Read =>
  async (source) => {
    for await (const _chunk of source) throw problem(code, 'The first bytes are enough to refuse the form.')
    return {}
  }

/** Forms that are read to their end, or only in part. */
export const formOperations: readonly Operation[] = [
  formOperation('/forms/', sized),
  formOperation('/forms/misfit', refusing('invalid_body')),
  formOperation('/forms/slow', refusing('request_timeout')),
]
