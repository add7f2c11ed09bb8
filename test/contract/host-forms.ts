import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveWith } from '../../src/host/serve.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { runAsync, runSync } from '../../src/operation/steps.ts'
import { naming } from '../naming.ts'
import type { Running, StartHost } from './host.ts'
import { formLimit, formOperation, formOperations, sized, tally } from './host-form-operations.ts'
import { limit } from './host-operations.ts'
import { exchange, send } from './http-client.ts'

const form = 'multipart/form-data; boundary=x'
const headers = { 'content-type': form }
const large = Buffer.alloc(20 * 1024 * 1024, 'abcdefghijklm')

const told = (bytes: Uint8Array) => {
  const seen = tally()
  seen.add(bytes)
  return { as: 'stream', ...seen.result() }
}

/** How every host serves an operation that reads its body as it arrives. */
export const hostFormContract = (name: string, start: StartHost): void => {
  describe.each([
    ['in asynchronous mode', runAsync],
    ['in one tick', runSync],
  ])(`forms of ${name} %s`, (_mode, run) => {
    let server: Running
    /** What the operation was given of a body, told to whoever asks. */
    const watched = watch()

    beforeAll(async () => {
      vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      server = await start('/api', [...formOperations, ...watched.operations], serveWith(run))
    })
    afterAll(async () => {
      vi.restoreAllMocks()
      await server.stop()
    })
    const post = (path: string, sent: object) =>
      send(server.port, 'POST', `/api${path}`, { headers, ...sent })

    it('arrive as the bytes that were sent', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.boolean(), async (body, chunked) => {
          const reply = await post('/forms/', { body, chunked })
          expect([reply.status, reply.json]).toEqual([200, told(body)])
        }),
        { numRuns: 40 },
      )
      for (const chunked of [true, false])
        expect((await post('/forms/', { body: large, chunked })).json).toEqual(told(large))
    })

    it('are empty where none was sent', async () => {
      expect((await post('/forms/', {})).json).toEqual(told(Buffer.of()))
      expect((await post('/forms/', { headers: { ...headers, 'content-length': '0' } })).json).toEqual(
        told(Buffer.of()),
      )
    })

    it('stand beside JSON on one operation, each under its own limit', async () => {
      const json = { 'content-type': 'application/json' }
      const [most, more] = [large.subarray(0, limit), large.subarray(0, limit + 1)]
      expect((await post('/forms/', { body: most, headers: json })).json).toEqual({
        as: 'bytes',
        size: limit,
      })
      expect((await post('/forms/', { body: more, headers: json })).status).toBe(413)
      expect((await post('/forms/', { body: more, headers: json, chunked: true })).status).toBe(413)
      expect((await post('/forms/', { body: more })).json).toEqual(told(more))
    })

    it('of another media type are refused, with those that are taken', async () => {
      for (const body of ['x', large]) {
        const text = { 'content-type': 'text/plain' }
        const reply = await post('/forms/', { body, headers: text, chunked: true })
        expect([reply.status, reply.headers['accept']]).toEqual([
          415,
          'application/json, multipart/form-data',
        ])
      }
    })

    it.each([formLimit + 1, 10_000_000_000])(
      'of %i bytes are refused by their declared length',
      async (size) => {
        const head = `POST /api/forms/ HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: ${size}\r\n\r\n`
        const received = await exchange(server.port, head, (text) => text.includes('body_too_large'))
        expect(received).toMatch(/^HTTP\/1\.1 413 /)
        expect(JSON.parse(received.slice(received.indexOf('{')))).toMatchObject({
          code: 'body_too_large',
          detail: expect.stringMatching(naming(formLimit)),
        })
      },
    )

    it('that are let go of on the way leave the client its answer', async () => {
      for (const chunked of [true, false]) {
        const reply = await post('/forms/misfit', { body: large, chunked })
        expect([reply.status, reply.json['code']]).toEqual([422, 'invalid_body'])
      }
    })

    it('that are let go of leave the connection usable', async () => {
      const body = 'x'.repeat(2_000_000)
      const post = (path: string) =>
        `POST /api${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const received = await exchange(server.port, post('/forms/misfit') + post('/forms/'), (text) =>
        text.includes('"size":2000000'),
      )
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 422', 'HTTP/1.1 200'])
    })

    it('that come too slowly are answered, and their connection is closed', async () => {
      const head = `POST /api/forms/slow HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: 500\r\n\r\nhello`
      const received = await exchange(server.port, head, () => false)
      expect(received).toMatch(/^HTTP\/1\.1 408 /)
      expect(received).toMatch(/\r\nconnection: close\r\n/i)
      expect(received).toContain('"code":"request_timeout"')
    })

    it('are given to the operation while they arrive', async () => {
      const client = await clientOf(server.port, '/api/forms/watched', large.length)
      client.socket.write(large.subarray(0, 1000))
      await watched.has(1000)
      client.socket.write(large.subarray(1000))
      expect(await client.answer).toContain(JSON.stringify(told(large)))
    })

    it('are not read faster than the operation takes them', async () => {
      const whole = Buffer.alloc(64 * 1024 * 1024, 'x')
      const client = await clientOf(server.port, '/api/forms/held', whole.length)
      const sent = client.sendAll(whole)
      await watched.has(1)
      // Requests that take their time on the same server, as nothing tells that no more comes.
      for (let asked = 0; asked < 3; asked++) await post('/forms/', { body: large })
      expect(sent.isDone()).toBe(false)
      watched.release()
      await sent.done
      expect(await client.answer).toContain(`"size":${whole.length}`)
    })

    it('whose client has gone fail where they are read', async () => {
      const client = await clientOf(server.port, '/api/forms/watched', large.length)
      client.socket.write(large.subarray(0, 1000))
      await watched.has(1000)
      const failure = watched.fails()
      client.socket.destroy()
      expect(await failure).toBeInstanceOf(Error)
      expect((await post('/forms/', { body: 'x' })).status).toBe(200)
    })
  })
}

/** Operations that tell what they have read, one request at a time. */
const watch = () => {
  let size = 0
  let wanted: { readonly size: number; readonly resolve: () => void } | undefined
  let onFailure: (error: unknown) => void = () => undefined
  let release: () => void = () => undefined
  const took = (bytes: number) => {
    size += bytes
    if (wanted !== undefined && size >= wanted.size) wanted.resolve()
  }
  async function* watching(source: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of source) {
        took(chunk.length)
        yield chunk
      }
    } catch (error) {
      onFailure(error)
      throw error
    }
  }
  const operations: readonly Operation[] = [
    formOperation('/forms/watched', (source) => sized(watching(source))),
    formOperation('/forms/held', async (source) => {
      const gate = new Promise<void>((resolve) => {
        release = resolve
      })
      let read = 0
      for await (const chunk of watching(source)) {
        if (read === 0) await gate
        read += chunk.length
      }
      return { size: read }
    }),
  ]
  return {
    operations,
    /** Done once the operation has so many bytes of a request that was sent in this tick. */
    has: (least: number) =>
      new Promise<void>((resolve) => {
        size = 0
        wanted = { size: least, resolve }
      }),
    fails: () =>
      new Promise<unknown>((resolve) => {
        onFailure = resolve
      }),
    release: () => release(),
  }
}

/** A client that sends its body by itself. */
const clientOf = async (port: number, path: string, length: number) => {
  const socket: Socket = connect(port, '127.0.0.1')
  let text = ''
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (data) => {
      text += data.toString()
      if (/\}$/.test(text)) socket.end()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: ${length}\r\n\r\n`,
  )
  const sendAll = (bytes: Uint8Array) => {
    let isDone = false
    const done = (async () => {
      for (let at = 0; at < bytes.length; at += 0x10000) {
        const piece = bytes.subarray(at, at + 0x10000)
        await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
      }
      isDone = true
    })()
    return { done, isDone: () => isDone }
  }
  return { socket, answer, sendAll }
}
