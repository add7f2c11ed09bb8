import type { BodyBounds } from '../../operation/operation.ts'
import { collectBody } from '../collect-body.ts'

/**
 * Reads a body within its bounds, and no further.
 *
 * @throws HttpError 413 beyond the limit, 408 beyond the time, 400 where the client ends too early.
 */
export const readBody = ({ body }: Request, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (body === null) return resolve(new Uint8Array())
    const reader = body.getReader()
    let isWanted = true
    const collecting = collectBody(bounds, (refusal, whole) => {
      isWanted = false
      if (refusal === null) return resolve(whole)
      // Whether the platform can tell the client to stop is its own matter.
      reader.cancel().catch(() => undefined)
      reject(refusal)
    })
    const read = async (): Promise<void> => {
      while (isWanted) {
        const { done, value } = await reader.read()
        if (done) return collecting.end()
        collecting.add(value)
      }
    }
    read().catch(collecting.fail)
  })
