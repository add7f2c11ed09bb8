import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const size = 256 * 1024 * 1024
const chunk = Buffer.alloc(1024 * 1024, 'x')
/**
 * What a server may grow by meanwhile: V8 collects buffers that nobody holds when there are 64 MB of them. A server that kept what
 * it is sent would grow by twice as much, or by `size`.
 */
const mostGrowth = 96 * 1024 * 1024

const routes = [
  ['GET', '/products/'],
  ['POST', '/products/'],
  ['GET', '/products/1'],
  ['PATCH', '/products/1'],
  ['PUT', '/products/1'],
  ['DELETE', '/products/1'],
] as const

/** How a body is framed: the requests that have it, its head, and how each part of it goes out. */
const framings = {
  'of a declared length': { on: routes, head: `Content-Length: ${size}`, framed: (part: Buffer) => part },
  // Whatever the route is, the same code leaves it unread.
  'in chunks': {
    on: routes.slice(0, 2),
    head: 'Transfer-Encoding: chunked',
    framed: (part: Buffer) =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
  },
}

/** Everything that came until the reply is complete. */
const wholeReply = async (socket: Socket): Promise<string> => {
  let received = ''
  for (;;) {
    const [data] = await once(socket, 'data')
    received += String(data)
    const [head = '', body] = received.split('\r\n\r\n')
    const length = /^content-length: (\d+)/im.exec(head)?.[1]
    if (body !== undefined && body.length >= Number(length)) return received
  }
}

/** Sends until that much is sent or the server hangs up, and then hangs up, too. */
const pump = async (socket: Socket, part: Buffer, most: number): Promise<void> => {
  for (let sent = 0; sent < most && !socket.destroyed; sent += part.length) {
    if (!socket.write(part)) await takenOrClosed(socket)
  }
  socket.destroy()
}

const takenOrClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const goOn = () => {
      socket.off('drain', goOn).off('close', goOn)
      resolve()
    }
    socket.on('drain', goOn).on('close', goOn)
  })

describe.each(['fastify', 'fetch'])('an anonymous request with a body, on %s', (host) => {
  let server: ChildProcess
  let port: number
  const mostMemory = async (): Promise<number> => {
    server.send('memory')
    return (await once(server, 'message'))[0]
  }

  beforeAll(async () => {
    server = fork(fileURLToPath(new URL('unread-bodies-server.ts', import.meta.url)), [host], {
      stdio: 'ignore',
    })
    port = (await once(server, 'message'))[0]
  })
  afterAll(async () => {
    const ended = once(server, 'exit')
    server.disconnect()
    await ended
  })

  describe.each(Object.entries(framings))('%s', (_title, framing) => {
    it.each(framing.on)(
      'checklist 32: %s %s is answered with its first bytes, and costs no memory',
      async (method, path) => {
        const before = await mostMemory()
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.write(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing.head}\r\n\r\n`,
        )
        socket.write(framing.framed(Buffer.from('{"name":')))
        const reply = await wholeReply(socket)
        expect(reply).toMatch(/^HTTP\/1\.1 401 /)
        expect(reply).toMatch(/^www-authenticate: Bearer/im)
        expect(reply).toContain('"code":"unauthenticated"')
        await pump(socket, framing.framed(chunk), method === 'POST' ? size : 1.5 * mostGrowth)
        expect((await mostMemory()) - before).toBeLessThan(mostGrowth)
      },
    )
  })
})
