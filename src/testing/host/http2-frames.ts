import { connect } from 'node:net'

/** What a client received on a stream, frame by frame. The client of Node hides whether a stream that is reset has ended. */
export interface Frames {
  /** The bytes of all DATA frames. */
  readonly text: string
  /** Whether a frame had the flag END_STREAM. */
  readonly hasEnded: boolean
  /** The error code of RST_STREAM. `undefined`: the stream was not reset. */
  readonly resetCode: number | undefined
}

const frameTypes = { DATA: 0, HEADERS: 1, RST_STREAM: 3, SETTINGS: 4, WINDOW_UPDATE: 8 } as const
const flags = { END_STREAM: 1, END_HEADERS: 4 } as const
const HEAD_SIZE = 9
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const INITIAL_WINDOW_SIZE = 4
const MOST_WINDOW = 2 ** 31 - 1

const uint = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

const frame = (type: number, flag: number, stream: number, payload: Buffer): Buffer =>
  Buffer.concat([uint(payload.length, 3), Buffer.of(type, flag), uint(stream, 4), payload])

/** A text of HPACK that is not compressed. Its length must fit into one byte. */
const literal = (text: string): Buffer => {
  if (text.length > 126) throw new RangeError('The header is too long.')
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')])
}

/** So large that a server never waits for the client. */
const opening: Buffer = Buffer.concat([
  Buffer.from(PREFACE),
  frame(frameTypes.SETTINGS, 0, 0, Buffer.concat([uint(INITIAL_WINDOW_SIZE, 2), uint(MOST_WINDOW, 4)])),
  frame(frameTypes.WINDOW_UPDATE, 0, 0, uint(MOST_WINDOW - 65_535, 4)),
])

/** Sends a request without a body, and returns everything until the stream ends. `headers` may repeat a name. */
export const framesOf = (
  port: number,
  method: string,
  path: string,
  headers: readonly (readonly [name: string, value: string])[] = [],
): Promise<Frames> =>
  new Promise((resolve, reject) => {
    const fields = [
      ...[[':method', method] as const, [':path', path] as const, [':scheme', 'http'] as const],
      ...[[':authority', `127.0.0.1:${port}`] as const, ...headers],
    ]
    const block = Buffer.concat(
      fields.flatMap(([name, value]) => [Buffer.of(0), literal(name), literal(value)]),
    )
    const request = frame(frameTypes.HEADERS, flags.END_HEADERS | flags.END_STREAM, 1, block)
    let [unread, text, hasEnded]: [Buffer, string, boolean] = [Buffer.alloc(0), '', false]
    let resetCode: number | undefined

    const take = (type: number, flag: number, payload: Buffer): void => {
      if (type === frameTypes.DATA) text += payload.toString('latin1')
      if (type === frameTypes.RST_STREAM) resetCode = payload.readUInt32BE(0)
      else if (type <= frameTypes.HEADERS && (flag & flags.END_STREAM) !== 0) hasEnded = true
    }

    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([opening, request])))
    socket.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk])
      while (unread.length >= HEAD_SIZE && unread.length >= HEAD_SIZE + unread.readUIntBE(0, 3)) {
        const end = HEAD_SIZE + unread.readUIntBE(0, 3)
        if (unread.readUInt32BE(5) === 1)
          take(unread.readUInt8(3), unread.readUInt8(4), unread.subarray(HEAD_SIZE, end))
        unread = unread.subarray(end)
      }
      if (hasEnded || resetCode !== undefined) socket.destroy()
    })
    socket.on('close', () => resolve({ text, hasEnded, resetCode }))
    socket.on('error', reject)
  })
