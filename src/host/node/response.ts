import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { finished, pipeline, Readable } from 'node:stream'
import type { Reply, ReplyStream } from '../../operation/call.ts'
import { isStream } from '../serve.ts'
import { discardBody, type NodeRequest } from './request.ts'

/** The response to a request of Node. */
export type NodeResponse = ServerResponse | Http2ServerResponse

/**
 * Sends a response through `node:http`, and reads and discards the rest of the request body, so the client can read the
 * response and reuse its connection. Headers that the response already has are kept, such as those of CORS, and cookies. If the client
 * has disconnected or another handler has responded, nothing is sent.
 *
 * @throws TypeError before anything is sent, if a header has invalid characters
 */
export const sendToNode = (
  request: NodeRequest,
  response: NodeResponse,
  { status, headers, body, sent }: Reply,
): void => {
  if (sent !== undefined) finished(response as ServerResponse, () => sent())
  if (isGone(response)) {
    if (isStream(body)) body.destroy()
    return
  }
  assertHeaders(headers)
  discardBody(request)
  response.statusCode = status
  for (const name in headers) {
    const value = headers[name] ?? ''
    // HTTP/2 does not allow this header.
    if (name === 'connection' && request.httpVersionMajor > 1) continue
    if (name === 'set-cookie') response.appendHeader(name, typeof value === 'string' ? value : [...value])
    else response.setHeader(name, value)
  }
  if (isStream(body)) {
    pipeline(readableOf(body, response), response, () => undefined)
    return
  }
  if (body === undefined) {
    response.end()
    return
  }
  response.setHeader('content-length', Buffer.byteLength(body))
  // Node drops the body of a response to HEAD.
  response.end(body)
}

/** @throws TypeError if a header has invalid characters, which Node drops with HTTP/2 */
export const assertHeaders = (headers: Reply['headers']): void => {
  for (const name in headers) {
    const value = headers[name] ?? ''
    validateHeaderName(name)
    if (typeof value === 'string') validateHeaderValue(name, value)
    else for (const line of value) validateHeaderValue(name, line)
  }
}

/** Whether nothing more can be sent: the client has disconnected, or another handler has responded. */
const isGone = (response: NodeResponse): boolean =>
  response.destroyed || response.headersSent || ('stream' in response && response.stream.destroyed)

/** The stream of a response, which is destroyed when the client disconnects. */
export const readableOf = (body: ReplyStream, response: NodeResponse): Readable => {
  // A response that the client resets does not destroy what is piped into it.
  if (isGone(response)) body.destroy()
  else response.once('close', () => body.destroy())
  return Readable.from(untilFailure(body, response), { objectMode: false })
}

/** Without an error at its end, which Fastify would log again. */
async function* untilFailure(body: ReplyStream, response: NodeResponse): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } catch {
    cutOff(response)
  }
}

/** Ends a response so that the client does not take it for complete. Its status may have been sent. */
export const cutOff = (response: NodeResponse): void => {
  // `stream.close(code)` can send the end of the response before the code.
  if ('stream' in response) response.stream.destroy(new Error('The response was cut off.'))
  else response.destroy()
}
