import { validateHeaderName, validateHeaderValue } from 'node:http'
import { pipeline } from 'node:stream'
import type { Reply } from '../../operation/call.ts'
import type { RequestBody, RequestHead } from '../call.ts'
import { isStream } from '../routes.ts'
import {
  bytesOfNode,
  discardBody,
  headerOf,
  isGone,
  type NodeRequest,
  type NodeResponse,
  readableOf,
  readBody,
} from './request.ts'

/** The head of a request of `node:http`, `node:https` or the compatibility API of `node:http2`. */
export class NodeHead implements RequestHead {
  readonly request: NodeRequest

  readonly #address: string | undefined

  constructor(request: NodeRequest) {
    this.request = request
    // Read now: with HTTP/2, it is no longer known after the client resets the request.
    this.#address = request.socket.remoteAddress
  }

  /** The address of the connection, which may be that of a proxy. */
  get address(): string | undefined {
    return this.#address
  }

  get method(): string {
    return this.request.method ?? 'GET'
  }

  get url(): string {
    return this.request.url ?? '/'
  }

  get scheme(): string {
    return 'encrypted' in this.request.socket ? 'https' : 'http'
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name)
  }
}

/** The body of such a request. */
export const nodeBody = (request: NodeRequest): RequestBody => ({
  whole: (bounds) =>
    new Promise((resolve, reject) => {
      readBody(request, bounds, (refusal, body = noBytes) => {
        if (refusal === null) resolve(body)
        else reject(refusal)
      })
    }),
  bytes: () => bytesOfNode(request),
})

const noBytes = new Uint8Array()

/**
 * Sends a response through `node:http`, and reads and discards the rest of the request body, so the client can read the
 * response and reuse its connection. Headers that the response already has are kept, such as those of CORS. If the client
 * has disconnected or another handler has responded, nothing is sent.
 *
 * @throws TypeError before anything is sent, if a header has invalid characters
 */
export const sendToNode = (
  request: NodeRequest,
  response: NodeResponse,
  { status, headers, body }: Reply,
): void => {
  if (isGone(response)) {
    if (isStream(body)) body.destroy()
    return
  }
  const isHttp1 = request.httpVersionMajor === 1
  // HTTP/2 does not allow this header.
  const sent = Object.entries(headers).filter(([name]) => isHttp1 || name !== 'connection')
  for (const [name, value] of sent) {
    validateHeaderName(name)
    for (const line of [value].flat()) validateHeaderValue(name, line)
  }
  discardBody(request)
  response.statusCode = status
  for (const [name, value] of sent) response.setHeader(name, value)
  if (isStream(body)) {
    if (request.method !== 'HEAD') {
      // If the client disconnects, the stream is released; if the stream fails, the connection is closed.
      pipeline(readableOf(body, response), response, () => undefined)
      return
    }
    body.destroy()
    response.end()
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
