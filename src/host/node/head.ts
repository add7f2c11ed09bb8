import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { RequestHead } from '../call.ts'

/** A request of `node:http`, `node:https` or the compatibility API of `node:http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest

/** The head of a request of `node:http`, `node:https` or the compatibility API of `node:http2`. */
export class NodeHead implements RequestHead {
  readonly request: NodeRequest

  readonly #address: string | undefined

  constructor(request: NodeRequest) {
    this.request = request
    // Read now, because Node does not know it after the client has disconnected or, with HTTP/2, reset the request.
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

export const headerOf = (
  { headers, rawHeaders }: Pick<NodeRequest, 'headers' | 'rawHeaders'>,
  name: string,
): string | undefined => {
  // HTTP/2 has another name for it.
  const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined)
  if (typeof value === 'object') return value.join(', ')
  if (name !== 'authorization' || value === undefined) return value
  // Node keeps only the first of several, but a proxy may have read the last.
  return rawHeaders
    .filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
    .join(', ')
}
