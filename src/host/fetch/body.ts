import { brokenBody, tooLarge } from '../refusals.ts'

/**
 * Reads a body up to a limit, and no further.
 *
 * @param limit The most bytes.
 * @throws HttpError 413 beyond the limit, 400 where the client ends too early.
 */
export const readBody = async ({ body }: Request, limit: number): Promise<Uint8Array> => {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw brokenBody(error)
    })
    if (done) return joined(chunks, size)
    size += value.byteLength
    if (size > limit) {
      // Whether the platform can tell the client to stop is its own matter.
      reader.cancel().catch(() => undefined)
      throw tooLarge(limit)
    }
    chunks.push(value)
  }
}

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
