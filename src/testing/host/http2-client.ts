import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { Answer, HostClient, Received, SentRequest, Upload } from './client.ts'
import { answerOf } from './http-client.ts'
import { framesOf } from './http2-frames.ts'

interface Opened {
  readonly session: ClientHttp2Session
  readonly stream: ClientHttp2Stream
}

/** Starts a request on a connection of its own. */
const open = (
  port: number,
  method: string,
  path: string,
  sent: SentRequest['headers'],
  endStream: boolean,
): Opened => {
  const { host = `127.0.0.1:${port}`, ...headers } = sent ?? {}
  const session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1000 })
  const head: OutgoingHttpHeaders = { ':method': method, ':path': path, ':authority': host, ...headers }
  const stream = session.request(head, { endStream })
  // The server may stop reading a body that it refuses. Without a response, `answerTo` rejects.
  session.on('error', () => undefined)
  stream.on('error', () => undefined)
  return { session, stream }
}

/** The codes with which servers reset streams. */
const resetCodes = [
  'NGHTTP2_NO_ERROR',
  'NGHTTP2_PROTOCOL_ERROR',
  'NGHTTP2_INTERNAL_ERROR',
  'NGHTTP2_STREAM_CLOSED',
  'NGHTTP2_REFUSED_STREAM',
  'NGHTTP2_CANCEL',
] as const

const noResponse = ({ rstCode = constants.NGHTTP2_NO_ERROR }: ClientHttp2Stream): Error => {
  const name = resetCodes.find((code) => constants[code] === rstCode) ?? 'unknown'
  return new Error(`The stream closed without a complete response, with the code ${rstCode} (${name}).`)
}

const answerTo = async ({ session, stream }: Opened): Promise<Answer> => {
  const answer = await answerOn(stream)
  session.destroy()
  return answer
}

/** Listens at once and leaves the stream open, because an iterator would miss what arrives with a reset, and close it. */
const answerOn = (stream: ClientHttp2Stream): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let all: IncomingHttpHeaders | undefined
    const chunks: Buffer[] = []
    const end = (): void => {
      if (all === undefined) return
      const headers = Object.entries(all).filter(([name]) => !name.startsWith(':') && name !== 'date')
      resolve(answerOf(Number(all[':status']), Object.fromEntries(headers), chunks))
    }
    stream.on('response', (headers: IncomingHttpHeaders) => {
      all = headers
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', end)
    stream.on('close', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) end()
      reject(noResponse(stream))
    })
  })

const send = (port: number, method: string, path: string, sent: SentRequest = {}): Promise<Answer> => {
  const { body, chunked = false } = sent
  const headers = {
    ...(body !== undefined && !chunked && { 'content-length': String(Buffer.byteLength(body)) }),
    ...sent.headers,
  }
  const opened = open(port, method, path, headers, body === undefined)
  const answer = answerTo(opened)
  if (body !== undefined) opened.stream.end(body)
  return answer
}

const upload = (port: number, path: string, headers: SentRequest['headers']): Upload => {
  const opened = open(port, 'POST', path, headers, false)
  const answer = answerTo(opened)
  // A test that disconnects does not wait for the response.
  answer.catch(() => undefined)
  return {
    answer,
    write: (bytes) => new Promise((resolve) => opened.stream.write(bytes, () => resolve())),
    end: () => void opened.stream.end(),
    disconnect: () => opened.session.destroy(),
    reset: () => {
      // `close(code)` would end the body before the code, so that it is complete.
      opened.stream.destroy(new DOMException('The client gives up.', 'AbortError'))
      opened.stream.once('close', () => opened.session.close())
    },
  }
}

const glimpse = async (port: number, path: string): Promise<void> => {
  const { session, stream } = open(port, 'GET', path, {}, true)
  await once(stream, 'data')
  session.destroy()
}

const receive = async (port: number, path: string): Promise<Received> => {
  const { text, hasEnded, resetCode } = await framesOf(port, 'GET', path)
  // Clients take a stream that is reset without an error for one that has ended.
  return { text, isComplete: hasEnded || resetCode === constants.NGHTTP2_NO_ERROR }
}

/** A request whose body never ends. */
export interface Endless {
  readonly answer: Promise<Answer>
  /** Resolves to the code with which the server closes the stream. */
  readonly closed: Promise<number | undefined>
  leave(): void
}

/** Sends a request whose body does not end after these bytes. */
export const endless = (port: number, method: string, path: string, bytes: Uint8Array): Endless => {
  const { session, stream } = open(port, method, path, { 'content-type': 'application/json' }, false)
  const closed = once(stream, 'close').then(() => stream.rstCode)
  stream.write(bytes)
  return { answer: answerOn(stream), closed, leave: () => session.destroy() }
}

/** A client that speaks HTTP/2 without TLS. */
export const http2Client = (port: number): HostClient => ({
  send: (method, path, sent) => send(port, method, path, sent),
  upload: (path, headers) => upload(port, path, headers),
  glimpse: (path) => glimpse(port, path),
  receive: (path) => receive(port, path),
})
