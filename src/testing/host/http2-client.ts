import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { Answer, Client, Received, Sent, Upload } from './client.ts'
import { answerOf } from './http-client.ts'

interface Opened {
  readonly session: ClientHttp2Session
  readonly stream: ClientHttp2Stream
}

/** Starts a request on a connection of its own. */
const open = (
  port: number,
  method: string,
  path: string,
  sent: Sent['headers'],
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

const answerTo = async ({ session, stream }: Opened): Promise<Answer> => {
  const [all]: [IncomingHttpHeaders] = await Promise.race([
    once(stream, 'response') as Promise<[IncomingHttpHeaders]>,
    once(stream, 'close').then(() => Promise.reject(new Error('The stream closed without a response.'))),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  session.destroy()
  const headers = Object.entries(all).filter(([name]) => !name.startsWith(':') && name !== 'date')
  return answerOf(Number(all[':status']), Object.fromEntries(headers), chunks)
}

const send = (port: number, method: string, path: string, sent: Sent = {}): Promise<Answer> => {
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

const upload = (port: number, path: string, headers: Sent['headers']): Upload => {
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
      opened.stream.close(constants.NGHTTP2_CANCEL)
      opened.stream.once('close', () => opened.session.close())
    },
  }
}

const glimpse = async (port: number, path: string): Promise<void> => {
  const { session, stream } = open(port, 'GET', path, {}, true)
  await once(stream, 'data')
  session.destroy()
}

/** How streams end that the server did not cut off. The client reports a wrong length as an error of the protocol. */
const ends: readonly number[] = [constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_PROTOCOL_ERROR]

const receive = async (port: number, path: string): Promise<Received> => {
  const { session, stream } = open(port, 'GET', path, {}, true)
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  await new Promise((resolve) => stream.on('close', resolve))
  session.destroy()
  return { text, isComplete: ends.includes(stream.rstCode) }
}

/** A client that speaks HTTP/2 without TLS. */
export const http2Client = (port: number): Client => ({
  send: (method, path, sent) => send(port, method, path, sent),
  upload: (path, headers) => upload(port, path, headers),
  glimpse: (path) => glimpse(port, path),
  receive: (path) => receive(port, path),
})
