import { connect, type Socket } from 'node:net'

/** A request byte by byte, as no client library would send it. */
export interface Sent {
  readonly method: string
  /** Path and query as they stand in the request line. */
  readonly target: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: Uint8Array | string
  /** Sends the body chunked, each chunk of so many bytes. @default its length is declared */
  readonly chunk?: number
  /** Goes away after so many bytes of the body. */
  readonly hangUpAfter?: number
}

export interface Got {
  /** 0: there was none, as the client went away or the server closed. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Bytes of the body. */
  readonly bytes: number
  /** Bytes that were sent, the head and the framing included. */
  readonly sent: number
}

/** The longest wait for an answer, in milliseconds. It only ends what would hang. */
const PATIENCE = 60_000

const framed = (body: Uint8Array, size: number): Buffer => {
  const frames: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size)
    frames.push(Buffer.from(`${part.length.toString(16)}\r\n`), Buffer.from(part), Buffer.from('\r\n'))
  }
  return Buffer.concat([...frames, Buffer.from('0\r\n\r\n')])
}

const bytesOf = ({ method, target, headers = [], body, chunk }: Sent): { head: Buffer; rest: Buffer } => {
  const bytes = body === undefined ? undefined : Buffer.from(body as Uint8Array)
  const own = new Set(headers.map(([name]) => name.toLowerCase()))
  const framing: readonly (readonly [string, string])[] =
    bytes === undefined || own.has('content-length') || own.has('transfer-encoding')
      ? []
      : chunk === undefined
        ? [['content-length', String(bytes.length)]]
        : [['transfer-encoding', 'chunked']]
  const lines = [['host', 'x'], ...framing, ...headers].map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (bytes === undefined) return { head, rest: Buffer.alloc(0) }
  return { head, rest: chunk === undefined ? bytes : framed(bytes, chunk) }
}

/** Sends a request over a connection of its own, and reads what comes. A connection that breaks is no error. */
export const send = (port: number, request: Sent): Promise<Got> => {
  const { head, rest } = bytesOf(request)
  const sent = head.length + rest.length
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy(
        new Error(`No answer within ${PATIENCE} ms: ${request.method} ${request.target.slice(0, 200)}`),
      )
    }, PATIENCE)
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes)
      if (responseIn(Buffer.concat(received), request.method).isWhole) socket.destroy()
    })
    socket.on('error', (error: Error & { readonly code?: string }) => {
      if (error.code === undefined) reject(error)
    })
    socket.once('close', () => {
      clearTimeout(timer)
      const { isWhole: _isWhole, ...got } = responseIn(Buffer.concat(received), request.method)
      resolve({ ...got, sent })
    })
    socket.once('connect', () => {
      socket.write(head)
      if (request.hangUpAfter === undefined) socket.write(rest)
      else socket.write(rest.subarray(0, request.hangUpAfter), () => socket.destroy())
    })
  })
}

interface Read extends Omit<Got, 'sent'> {
  readonly isWhole: boolean
}

const nothing: Read = { status: 0, headers: {}, body: '', bytes: 0, isWhole: false }

/** The response at the beginning of what was received, but for those that only say that the server goes on. */
const responseIn = (all: Buffer, method: string): Read => {
  const end = all.indexOf('\r\n\r\n')
  if (end === -1) return nothing
  const [line = '', ...lines] = all.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(line.split(' ')[1])
  const raw = all.subarray(end + 4)
  if (status === 100) return responseIn(raw, method)
  const headers = Object.fromEntries(
    lines.map((each) => {
      const colon = each.indexOf(':')
      return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()]
    }),
  )
  const { body, isWhole } = bodyIn(raw, headers, method === 'HEAD' || status === 204 || status === 304)
  return { status, headers, body: body.toString(), bytes: body.length, isWhole }
}

const bodyIn = (
  raw: Buffer,
  headers: Readonly<Record<string, string>>,
  isEmpty: boolean,
): { readonly body: Buffer; readonly isWhole: boolean } => {
  if (isEmpty) return { body: Buffer.alloc(0), isWhole: true }
  if (headers['transfer-encoding'] === 'chunked')
    return { body: unframed(raw), isWhole: raw.subarray(-5).toString() === '0\r\n\r\n' }
  return { body: raw, isWhole: raw.length >= Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) }
}

const unframed = (raw: Buffer): Buffer => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const end = raw.indexOf('\r\n', at)
    const size = end === -1 ? 0 : Number.parseInt(raw.subarray(at, end).toString(), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(raw.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}
