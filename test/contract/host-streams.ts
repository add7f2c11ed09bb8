import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveWith } from '../../src/host/serve.ts'
import type { ReplyStream } from '../../src/operation/call.ts'
import { runAsync, wait } from '../../src/operation/steps.ts'
import type { Running, StartHost } from './host.ts'
import { operation } from './host-operations.ts'
import { exchange, send } from './http-client.ts'

const chunk = Buffer.alloc(64 * 1024, 'x')

/** What became of a stream that was sent. */
interface Watched {
  /** Chunks that were asked for. */
  read: number
  readonly destroyed: Promise<void>
  readonly stream: ReplyStream
}

/** A stream of so many chunks. @param broken throws in the place of the last one */
const watched = (chunks: number, broken = false): Watched => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const known: Watched = {
    read: 0,
    destroyed: promise,
    stream: {
      destroy: () => resolve(),
      async *[Symbol.asyncIterator]() {
        while (known.read < chunks) {
          known.read += 1
          if (broken && known.read === chunks) throw new Error('secret')
          yield chunk
        }
      },
    },
  }
  return known
}

/** What every host does with replies that are streams, over real sockets. */
export const hostStreamContract = (name: string, start: StartHost): void => {
  describe(`${name}: a reply that is a stream`, () => {
    let server: Running
    let now: Watched
    const streamed = (chunks: number, make: () => ReplyStream) =>
      function* () {
        const headers = {
          'content-type': 'image/png',
          'content-length': String(chunks * chunk.length),
          etag: '"1"',
        }
        return yield* wait({ status: 200, headers, body: make() })
      }
    const watching = (chunks: number, broken?: boolean) =>
      streamed(chunks, () => {
        now = watched(chunks, broken)
        return now.stream
      })

    beforeAll(async () => {
      vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      server = await start(
        '/api',
        [
          operation('GET', '/few', watching(3)),
          operation('GET', '/none', watching(0)),
          operation('GET', '/many', watching(100_000)),
          operation('GET', '/breaks', watching(3, true)),
          operation('GET', '/breaks-at-once', watching(1, true)),
          operation(
            'GET',
            '/of-node',
            streamed(2, () => Readable.from([chunk, chunk], { objectMode: false })),
          ),
        ],
        serveWith(runAsync),
      )
    })
    afterAll(async () => {
      await server.stop()
      vi.restoreAllMocks()
    })

    it.each([
      ['/few', 3],
      ['/none', 0],
      ['/of-node', 2],
    ])('is sent whole, with the headers that it came with: %s', async (path, chunks) => {
      const reply = await send(server.port, 'GET', `/api${path}`)
      expect([reply.status, reply.bytes.length]).toEqual([200, chunks * chunk.length])
      expect(reply.headers).toEqual({
        ...{ 'content-type': 'image/png', 'content-length': String(chunks * chunk.length), etag: '"1"' },
      })
    })

    it('is not read for HEAD, and given back', async () => {
      const reply = await send(server.port, 'HEAD', '/api/many')
      expect([reply.status, reply.headers['content-length']]).toEqual([200, String(100_000 * chunk.length)])
      await now.destroyed
      expect(now.read).toBe(0)
    })

    it('is read no faster than the client reads, and given back when the client goes', async () => {
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write('GET /api/many HTTP/1.1\r\nHost: x\r\n\r\n'),
      )
      await once(socket, 'data')
      socket.pause()
      socket.destroy()
      await now.destroyed
      // What the buffers on the way hold, which is a small part of the 6 GB.
      expect(now.read).toBeLessThan(1000)
    })

    it.each(['/breaks', '/breaks-at-once'])(
      'cuts the connection where it breaks, as nothing else fits its headers: %s',
      async (path) => {
        const text = await exchange(server.port, `GET /api${path} HTTP/1.1\r\nHost: x\r\n\r\n`, () => false)
        expect(text).not.toMatch(/secret|problem/)
        expect(text.length).toBeLessThan(3 * chunk.length)
        await now.destroyed
        expect((await send(server.port, 'GET', '/api/few')).status).toBe(200)
      },
    )
  })
}
