import { Buffer } from 'node:buffer'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { bytesOfWeb } from '../../src/host/fetch/answer.ts'
import { nodeBody } from '../../src/host/node/request.ts'
import { type FilePart, type Part, readMultipart } from '../../src/upload/multipart.ts'
import { naming } from '../naming.ts'
import { boundary, contentType, cut, encode, headOf } from './encode.ts'
import { bounds, type Options, read, readingOf, refusal, sourceOf, wholeOf } from './read.ts'

const file = { name: 'cover', fileName: 'a.bin', content: new Uint8Array(10_000).fill(7) }
const title = { name: 'title', content: new Uint8Array(Buffer.from('Title')) }

const asFile = (part: Part): FilePart => {
  if (part.kind !== 'file') throw new Error(`${part.name} is no file.`)
  return part
}

test('no more is read than a handler has taken', async () => {
  const source = sourceOf(cut(encode([file, title]), [1000]))
  const asked: number[] = []
  await readMultipart(source, contentType, {
    ...readingOf({}),
    onPart: async (part) => {
      if (part.kind === 'text') return
      for await (const _ of part.bytes) {
        await new Promise((resolve) => setImmediate(resolve))
        asked.push(source.asked())
      }
    },
  })
  expect(asked.length).toBeGreaterThan(9)
  // One piece of the body for each piece of the file.
  expect(asked).toEqual(asked.map((_, index) => index + 1))
})

test('a handler is awaited before the next part is read', async () => {
  const events: string[] = []
  const many = Array.from({ length: 5 }, (_, index) => ({ ...title, name: `n${index}` }))
  await read([encode(many)], {
    onPart: async ({ name }) => {
      events.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`${name} ends`)
    },
  })
  expect(events).toEqual(many.flatMap(({ name }) => [`${name} begins`, `${name} ends`]))
})

const leavings: readonly (readonly [
  what: string,
  leave: (part: FilePart) => Promise<unknown> | undefined,
])[] = [
  ['nothing of it', () => undefined],
  ['a piece', (part) => part.bytes[Symbol.asyncIterator]().next()],
  [
    'a loop that it breaks',
    async (part) => {
      for await (const _ of part.bytes) break
    },
  ],
]

test.each(leavings)(
  'a file of which a handler takes %s is dropped, and the rest is read',
  async (_what, leave) => {
    const names: string[] = []
    await readMultipart(sourceOf(cut(encode([file, title]), [1000])), contentType, {
      ...readingOf({}),
      onPart: async (part) => {
        names.push(part.name)
        if (part.kind === 'file') await leave(part)
      },
    })
    expect(names).toEqual(['cover', 'title'])
  },
)

test('a handler that does not wait for its piece gets it all the same, and the rest is read', async () => {
  const pieces: Promise<IteratorResult<Uint8Array>>[] = []
  const names: string[] = []
  const body = encode([file, title])
  // The second piece holds the end of the file and the beginning of the next part.
  const source = sourceOf(cut(body, [1000, body.indexOf('"title"') - 1000, body.length]))
  await readMultipart(source, contentType, {
    ...readingOf({}),
    onPart: (part) => {
      names.push(part.name)
      if (part.kind === 'text') return
      const bytes = part.bytes[Symbol.asyncIterator]()
      pieces.push(bytes.next(), bytes.next(), bytes.next(), bytes.next())
    },
  })
  expect(names).toEqual(['cover', 'title'])
  const settled = await Promise.allSettled(pieces)
  expect(settled[0]?.status).toBe('fulfilled')
  expect(settled.some(({ status }) => status === 'rejected')).toBe(true)
})

test('pieces are small, also where a source gives all at once', async () => {
  const whole = { ...file, content: new Uint8Array(1_000_000).map((_, index) => index % 251) }
  const sizes: number[] = []
  await readMultipart(sourceOf([encode([whole])]), contentType, {
    ...readingOf({}),
    onPart: async (part) => {
      for await (const piece of asFile(part).bytes) sizes.push(piece.length)
    },
  })
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000_000)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536)
})

test('a file that nobody takes is limited all the same', async () => {
  const reading = readingOf({ limits: { UPLOAD_FILE_LIMIT: 9999 } })
  await expect(readMultipart(sourceOf([encode([file])]), contentType, reading)).rejects.toMatchObject({
    status: 413,
  })
})

test('a stream ends with an error for whoever holds it after its part is over', async () => {
  const kept: FilePart[] = []
  await readMultipart(sourceOf(cut(encode([file, title]), [1000])), contentType, {
    ...readingOf({}),
    onPart: (part) => {
      if (part.kind === 'file') kept.push(part)
    },
  })
  await expect(wholeOf(asFile(kept[0] as Part).bytes)).rejects.toMatchObject({ name: 'Error' })
})

test('pieces that were asked for at once come in order', async () => {
  const found: unknown[] = []
  await readMultipart(sourceOf(cut(encode([file]), [3000])), contentType, {
    ...readingOf({}),
    onPart: async (part) => {
      const bytes = asFile(part).bytes[Symbol.asyncIterator]()
      const pieces = await Promise.all(Array.from({ length: 8 }, () => bytes.next()))
      found.push(Buffer.concat(pieces.flatMap(({ done, value }) => (done === true ? [] : [value]))))
    },
  })
  expect(found).toEqual([Buffer.from(file.content)])
})

/** A source that gives these bytes and then does as it is told. */
async function* then(bytes: Uint8Array, last: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield bytes
  await last()
}

const head = Buffer.from(`--${boundary}\r\n${headOf(file)}\r\n\r\nsome bytes`)
const gone = async () => {
  throw new Error('ECONNRESET')
}
const forever = () => new Promise<void>(() => undefined)

test('a client that is gone ends the stream and the reading with one error', async () => {
  const seen: unknown[] = []
  const error = await refusal(then(head, gone), {
    onPart: async (part) => {
      await wholeOf(asFile(part).bytes).catch((failed: unknown) => {
        seen.push(failed)
        throw new Error('made something else of it')
      })
    },
  })
  expect(error).toMatchObject({ status: 400, code: 'malformed_multipart' })
  expect(error.cause).toMatchObject({ message: 'ECONNRESET' })
  expect(error.detail).not.toContain('ECONNRESET')
  expect(seen).toEqual([error])
})

test('a handler that hides what its stream failed with does not hide it from the reading', async () => {
  const reading = {
    ...readingOf({}),
    onPart: async (part: Part) => {
      await wholeOf(asFile(part).bytes).catch(() => undefined)
    },
  }
  await expect(readMultipart(sourceOf(then(head, gone)), contentType, reading)).rejects.toBeInstanceOf(
    HttpError,
  )
})

test('a handler that hides what is wrong with the body does not save it', async () => {
  const body = encode([file, title])
    .toString('latin1')
    .replace(`\r\n--${boundary}\r\n`, `\r\n--${boundary}s\r\n`)
  const reading = {
    ...readingOf({}),
    onPart: async (part: Part) => {
      if (part.kind === 'file') await wholeOf(part.bytes).catch(() => undefined)
    },
  }
  const source = sourceOf(cut(Buffer.from(body, 'latin1'), [1000]))
  await expect(readMultipart(source, contentType, reading)).rejects.toMatchObject({
    code: 'malformed_multipart',
  })
})

test('what a handler throws is the answer, and its stream is at an end', async () => {
  const kept: FilePart[] = []
  const source = sourceOf(cut(encode([file, title]), [1000]))
  const reading = {
    ...readingOf({}),
    onPart: async (part: Part) => {
      kept.push(asFile(part))
      await asFile(part).bytes[Symbol.asyncIterator]().next()
      throw new HttpError(422, 'No such field.')
    },
  }
  await expect(readMultipart(source, contentType, reading)).rejects.toMatchObject({
    detail: 'No such field.',
  })
  expect(source.asked()).toBe(1)
  expect(source.released()).toBe(true)
  await expect(kept[0]?.bytes[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'Error' })
})

test('no timer is left of a reading that is done', async () => {
  vi.useFakeTimers()
  await read(cut(encode([file, title]), [1000]))
  expect(vi.getTimerCount()).toBe(0)
  await refusal(then(head, gone))
  expect(vi.getTimerCount()).toBe(0)
  await refusal([Buffer.from('nothing')])
  expect(vi.getTimerCount()).toBe(0)
})

beforeEach(() => {
  vi.useRealTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** One byte after so many milliseconds, again and again. */
async function* slowly(bytes: Uint8Array, milliseconds: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    yield bytes.subarray(at, at + 1)
  }
}

const outcome = async (pieces: AsyncIterable<Uint8Array>, options: Options, milliseconds: number) => {
  vi.useFakeTimers()
  const settled = vi.fn()
  const done = refusal(pieces, options).then(settled, settled)
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  const before = settled.mock.calls.length
  await vi.advanceTimersByTimeAsync(1)
  await done
  return { before, error: settled.mock.calls[0]?.[0] as unknown }
}

test('a client that pauses for too long is a 408', async () => {
  const { before, error } = await outcome(then(head, forever), {}, bounds.UPLOAD_IDLE_TIMEOUT * 1000)
  expect(before).toBe(0)
  expect(error).toMatchObject({
    status: 408,
    code: 'request_timeout',
    detail: expect.stringMatching(naming(30)),
  })
})

test('a client that sends a byte at a time is a 408 in the end', async () => {
  const body = encode([file])
  const { before, error } = await outcome(slowly(body, 1000), {}, bounds.UPLOAD_TIMEOUT * 1000)
  expect(before).toBe(0)
  expect(error).toMatchObject({ status: 408, code: 'request_timeout' })
})

test('the time that a handler takes is not the time of the client', async () => {
  vi.useFakeTimers()
  const done = read(cut(encode([file, title]), [5000]), {
    limits: { UPLOAD_IDLE_TIMEOUT: 0.01 },
    onPart: () => new Promise((resolve) => setTimeout(resolve, 1000)),
  })
  await vi.advanceTimersByTimeAsync(3000)
  expect(await done).toHaveLength(2)
})

const serve = async (options: Options, use: (port: number, sockets: readonly Socket[]) => Promise<void>) => {
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    readMultipart(nodeBody(request).bytes(), request.headers['content-type'], readingOf(options)).then(
      () => response.end('read'),
      (error: unknown) => {
        // As a host does it: the client must get to read its reply.
        request.resume()
        response.writeHead(error instanceof HttpError ? error.status : 500).end('refused')
      },
    )
  })
  server.on('connection', (socket) => sockets.push(socket))
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use((server.address() as AddressInfo).port, sockets)
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

const requestOf = (body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ])

test('after a refusal the connection takes the next request', async () => {
  await serve({ limits: { UPLOAD_FILE_LIMIT: 100 } }, async (port, sockets) => {
    const client = connect(port, '127.0.0.1')
    let heard = ''
    const replies = new Promise<void>((resolve, reject) => {
      client.on('error', reject)
      client.on('data', (bytes) => {
        heard += bytes
        if (heard.includes('200 OK')) resolve()
      })
    })
    client.write(requestOf(encode([{ ...file, content: new Uint8Array(1_000_000) }])))
    client.write(requestOf(encode([title])))
    await replies
    client.destroy()
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    expect(sockets).toHaveLength(1)
  })
})

test('a body of a Request is let go of where it stands', async () => {
  const request = new Request('http://localhost/', { method: 'POST', body: encode([file]) })
  const reading = readingOf({ limits: { UPLOAD_FILE_LIMIT: 1 } })
  await expect(readMultipart(bytesOfWeb(request.body), contentType, reading)).rejects.toMatchObject({
    status: 413,
  })
  expect(request.body?.locked).toBe(false)
  await expect(readMultipart(bytesOfWeb(null), contentType, reading)).rejects.toMatchObject({ status: 400 })
})
