import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { Answer, HostClient, Received, SentRequest, Upload } from './client.ts'

const hostname = '127.0.0.1'

/** Sends a request with exactly this path. The response may arrive before the whole body has been sent. */
export const send = (port: number, method: string, path: string, sent: SentRequest = {}): Promise<Answer> => {
  const { body, chunked = false } = sent
  const headers = {
    ...(body !== undefined && !chunked && { 'content-length': Buffer.byteLength(body) }),
    ...sent.headers,
  }
  const outgoing = request({ port, host: hostname, method, path, headers, agent: false })
  const answer = answerTo(outgoing)
  if (chunked && body !== undefined) outgoing.write(body)
  outgoing.end(chunked ? undefined : body)
  return answer
}

const answerTo = (outgoing: ClientRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let isAnswered = false
    outgoing.on('response', (incoming: IncomingMessage) => {
      isAnswered = true
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve(answerOf(incoming.statusCode ?? 0, withoutConnection(incoming.headers), chunks)),
      )
      incoming.on('error', reject)
    })
    // A server that responds early may stop reading.
    outgoing.on('error', (error) => isAnswered || reject(error))
    outgoing.on('close', () => isAnswered || reject(new Error('The connection closed without a response.')))
  })

/** The headers that do not depend on the connection or the time. */
const withoutConnection = (all: IncomingHttpHeaders): IncomingHttpHeaders => {
  const { date, connection, 'keep-alive': keepAlive, ...headers } = all
  return headers
}

/** A response that was read completely. */
export const answerOf = (status: number, headers: IncomingHttpHeaders, chunks: readonly Buffer[]): Answer => {
  const bytes = Buffer.concat(chunks)
  return {
    status,
    headers,
    bytes,
    text: bytes.toString(),
    get json() {
      return JSON.parse(bytes.toString())
    },
  }
}

/**
 * Writes text to a new connection, and returns everything that it receives until `isAll` returns `true`, or until the
 * server closes the connection.
 */
export const exchange = (port: number, text: string, isAll: (received: string) => boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, hostname, () => socket.write(text))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (isAll(received)) socket.destroy()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })

/** Writes text to a new connection, and closes it as soon as the text has been sent. */
export const leave = (port: number, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, hostname, () => socket.write(text, () => socket.destroy()))
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })

const upload = (port: number, path: string, headers: SentRequest['headers']): Upload => {
  const outgoing = request({ port, host: hostname, method: 'POST', path, headers, agent: false })
  const answer = answerTo(outgoing)
  // A test that disconnects does not wait for the response.
  answer.catch(() => undefined)
  outgoing.flushHeaders()
  return {
    answer,
    write: (bytes) => new Promise((resolve) => outgoing.write(bytes, () => resolve())),
    end: () => void outgoing.end(),
    disconnect: () => void outgoing.destroy(),
    reset: () => void outgoing.destroy(),
  }
}

const glimpse = async (port: number, path: string): Promise<void> => {
  const socket = connect(port, hostname, () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
  await once(socket, 'data')
  socket.pause()
  socket.destroy()
}

const receive = async (port: number, path: string): Promise<Received> => {
  const text = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, () => false)
  const start = text.indexOf('\r\n\r\n')
  const head = text.slice(0, start)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  const isEnded = /\r\ntransfer-encoding: chunked/i.test(head)
    ? text.endsWith('0\r\n\r\n')
    : text.length - start - 4 >= Number(length ?? 0)
  return { text, isComplete: start !== -1 && isEnded }
}

/** A client that speaks HTTP/1.1. */
export const http1Client = (port: number): HostClient => ({
  send: (method, path, sent) => send(port, method, path, sent),
  upload: (path, headers) => upload(port, path, headers),
  glimpse: (path) => glimpse(port, path),
  receive: (path) => receive(port, path),
})
