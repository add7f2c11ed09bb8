import type { IncomingHttpHeaders } from 'node:http'

/** A response that was read completely. */
export interface Answer {
  readonly status: number
  /** Without the headers that depend on the connection or the time. */
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** What a request has besides its method and path. */
export interface SentRequest {
  /** An array is sent as several header lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: Uint8Array | string
  /** Sends the body without its length: in chunks with HTTP/1.1. */
  readonly chunked?: boolean
}

/** A POST request whose body is sent in pieces. */
export interface Upload {
  readonly answer: Promise<Answer>
  /** Resolves when the client can send more. */
  write(bytes: Uint8Array): Promise<void>
  end(): void
  disconnect(): void
  /** With HTTP/2, gives up this request only. */
  reset(): void
}

/** What a client received of a response, which may have been cut off. */
export interface Received {
  readonly text: string
  /** Whether the client takes the response for complete. */
  readonly isComplete: boolean
}

/** Sends requests to one server, each on a connection of its own. */
export interface HostClient {
  send(method: string, path: string, sent?: SentRequest): Promise<Answer>
  /** Starts a request whose body has the length of the header `content-length`, or an unknown one. */
  upload(path: string, headers: SentRequest['headers']): Upload
  /** Sends a GET request, and disconnects when the first bytes of the response arrive. */
  glimpse(path: string): Promise<void>
  /** Sends a GET request, and returns everything that arrives until the server ends the connection or stream. */
  receive(path: string): Promise<Received>
}
