import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BodyServer, startBodyServer } from './body-client.ts'

// Each of them waits for the timeout: they wait together.
describe.concurrent.each(['fastify', 'fetch'] as const)('a slow JSON body, on %s', (host) => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer(host, { JSON_BODY_TIMEOUT: 1 })
  })
  afterAll(() => server.stop())

  const open = async (path: string, framing: string): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`)
    return socket
  }

  /** Everything that comes until the server closes the connection. */
  const replyOn = async (socket: Socket): Promise<string> => {
    let text = ''
    for await (const piece of socket) text += String(piece)
    return text
  }

  const timeout = /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"request_timeout"/i

  it.each(['/things/', '/auth/login', '/auth/register', '/auth/refresh', '/auth/logout'])(
    'that stops is a 408, and its connection is closed: %s',
    async (path) => {
      const socket = await open(path, 'content-length: 1000')
      socket.write('{"name":')
      expect(await replyOn(socket)).toMatch(timeout)
    },
  )

  it('that never begins is a 408', async () => {
    expect(await replyOn(await open('/things/', 'content-length: 1000'))).toMatch(timeout)
  })

  it.each(['content-length: 100000', 'transfer-encoding: chunked'])(
    'that goes on and on is a 408, however often a byte comes: %s',
    async (framing) => {
      const socket = await open('/things/', framing)
      const drip = setInterval(() => socket.write(framing.includes('chunked') ? '1\r\n[\r\n' : '['), 20)
      // Whoever writes on behind the reply would break the connection before it is read.
      socket.once('data', () => clearInterval(drip)).once('close', () => clearInterval(drip))
      expect(await replyOn(socket)).toMatch(timeout)
    },
  )

  it('leaves those alone that come in time', async () => {
    const made = await server.send('POST', '/things/', '{"name":"in time"}')
    expect(made.status).toBe(201)
  })
})

it('a body in chunks of one byte takes no more memory than its bytes', { timeout: 120_000 }, async () => {
  const server = await startBodyServer('fastify', { JSON_BODY_TIMEOUT: 100 })
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(10_000))
  const send = async (): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      'POST /things/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    for (let sent = 0; sent < 100; sent++) if (!socket.write(chunks)) await once(socket, 'drain')
    socket.write('0\r\n\r\n')
    let text = ''
    for await (const piece of socket) text += String(piece)
    return text
  }
  const before = await server.memory()
  const replies = await Promise.all([send(), send()])
  for (const reply of replies) expect(reply).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"malformed_json"/)
  // Each byte took 130 once: 260 MB. The parser of the server has what it reads in one go.
  expect((await server.memory()) - before).toBeLessThan(150 * 1024 * 1024)
  await server.stop()
})
