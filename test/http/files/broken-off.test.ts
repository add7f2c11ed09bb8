import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { boundary, contentType, encode } from '../../upload/encode.ts'
import {
  document,
  filePart,
  type Options,
  refusal,
  type Stage,
  sqliteWorld,
  startFastify,
  textPart,
  type World,
} from './writing-stage.ts'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await sqliteWorld()
})
afterAll(() => world.close())
afterEach(() => stage.stop())

const body = encode([textPart('title', 'First'), filePart('content', Buffer.alloc(200_000, '%PDF-1.7 '))])

const open = async (head: readonly string[]): Promise<Socket> => {
  const socket = connect(stage.port ?? 0, '127.0.0.1')
  await once(socket, 'connect')
  socket.write([...head, `content-type: ${contentType}`, 'host: localhost', '', ''].join('\r\n'))
  return socket
}

const replyOn = async (socket: Socket): Promise<string> => {
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text
}

/** Storage whose uploads say when they begin and how they end. */
const watched = () => {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const options: Options = {
    storage: (own) => ({
      put: async (key, bytes) => {
        const seen = async function* () {
          for await (const piece of bytes) {
            begun.resolve()
            yield piece
          }
        }
        try {
          return await own.put(key, seen())
        } catch (error) {
          ended.resolve(error)
          throw error
        }
      },
    }),
  }
  return { begun: begun.promise, ended: ended.promise, options }
}

test.each(['POST /api/documents/', 'PUT /api/documents/1', 'PATCH /api/documents/1'])(
  'a client that goes in the middle of a file leaves nothing: %s',
  async (line) => {
    const { begun, ended, options } = watched()
    stage = await startFastify(world, options)
    await world.insert('There')
    const before = await stage.rows()
    const socket = await open([`${line} HTTP/1.1`, `content-length: ${body.length}`])
    socket.write(body.subarray(0, 150_000))
    await begun
    socket.destroy()
    await ended
    expect(await stage.keys()).toEqual([])
    expect(await stage.rows()).toEqual(before)
    expect((await stage.send('POST', '/documents/', document('Next'))).status).toBe(201)
  },
)

test('ten gigabytes are refused before anything is read', async () => {
  stage = await startFastify(world)
  const socket = await open([
    'POST /api/documents/ HTTP/1.1',
    'content-length: 10000000000',
    'connection: close',
  ])
  socket.write(body.subarray(0, 1000))
  expect(await replyOn(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"body_too_large"/)
  expect(stage.storage.calls).toEqual(['check'])
  expect((await stage.send('POST', '/documents/', document('Next'))).status).toBe(201)
})

test('a client that stops sending gets a 408, and leaves nothing', async () => {
  stage = await startFastify(world, { settings: { UPLOAD_IDLE_TIMEOUT: 1 } })
  const socket = await open(['POST /api/documents/ HTTP/1.1', `content-length: ${body.length}`])
  socket.write(body.subarray(0, 100_000))
  expect(await replyOn(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/)
  expect(await stage.keys()).toEqual([])
  expect(await stage.rows()).toEqual([])
})

test('bytes that break off leave nothing', async () => {
  const own = await sqliteWorld()
  stage = await startFastify(own)
  const pieces = [body.subarray(0, 100_000), undefined]
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.error(new Error('gone'))
      else controller.enqueue(piece)
    },
  })
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const told = await stage.send('POST', '/documents/', { headers, body: stream }).catch(() => undefined)
  if (told !== undefined) expect(refusal(told)).toMatchObject({ status: 400, code: 'malformed_multipart' })
  expect(await own.rows()).toEqual([])
  await own.close()
})
