import { clipped } from '../../error/issue.ts'
import type { ReplyStream } from '../../operation/call.ts'
import type { FetchCall } from './call.ts'

/**
 * A stream of a reply as a `Response` takes it: nothing is read before somebody wants it, and what reading holds is given
 * back when nobody does any more.
 */
export const webStream = (
  body: ReplyStream,
  { request, log, path }: FetchCall,
): ReadableStream<Uint8Array> => {
  const bytes = body[Symbol.asyncIterator]()
  // Not every runtime's request has one.
  const signal: AbortSignal | undefined = request.signal
  let isWanted = true
  const end = (): void => {
    isWanted = false
    signal?.removeEventListener('abort', end)
    body.destroy()
  }
  if (signal?.aborted === true) end()
  else signal?.addEventListener('abort', end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          // What is given back early may say so by failing.
          if (isWanted) log.error(`A reply to ${clipped(path, 'path')} broke off.`, error)
          end()
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
