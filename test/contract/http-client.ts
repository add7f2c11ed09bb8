import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

/** What came back, whether the whole of the request was sent or not. */
export interface Answer {
  readonly status: number
  /** Without those of the connection and the clock. */
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean
}

/** Sends a request whose path goes out exactly as given. */
export const send = (port: number, method: string, path: string, sent: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { body, chunked = false } = sent
    const headers = {
      ...(body !== undefined && !chunked && { 'content-length': Buffer.byteLength(body) }),
      ...sent.headers,
    }
    let answered = false
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (incoming) => {
      answered = true
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => resolve(answer(incoming.statusCode ?? 0, incoming.headers, chunks)))
      incoming.on('error', reject)
    })
    // A server that answers early may stop reading: that is no failure once its answer is there.
    outgoing.on('error', (error) => answered || reject(error))
    if (chunked && body !== undefined) outgoing.write(body)
    outgoing.end(chunked ? undefined : body)
  })

const answer = (status: number, all: IncomingHttpHeaders, chunks: readonly Buffer[]): Answer => {
  const { date, connection, 'keep-alive': keepAlive, ...headers } = all
  const bytes = Buffer.concat(chunks)
  return {
    status,
    headers,
    bytes,
    text: bytes.toString(),
    get json() {
      return JSON.parse(bytes.toString()) as Record<string, unknown>
    },
  }
}

/** Writes text to a new connection and gives everything that came back until `isAll` says so, or the server closes. */
export const exchange = (port: number, text: string, isAll: (received: string) => boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (isAll(received)) socket.destroy()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })

/** Writes text to a new connection and hangs up as soon as it is on its way. */
export const leave = (port: number, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => socket.destroy()))
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
