import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type FileStorage, type KeptFile, StorageError } from '../../src/index.ts'
import { storageKey } from '../../src/upload/keys.ts'

/** What a storage is, and what it declares. */
export interface StorageUnderTest {
  /** An empty one. */
  open(): Promise<FileStorage> | FileStorage
  /** Whether it serves files itself, at signed URLs. */
  readonly signs: boolean
  /** More than this many bytes are sent while the rest is still to come. */
  readonly part: number
}

const newKey = (type = 'image/png'): string => storageKey({ model: 'Product', field: 'photo', type })

/** The whole of a stream. */
const bytesOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const chunked = async function* (content: Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

const later = (): Date => new Date(Date.now() + 60_000)

const listed = async (storage: FileStorage, before = later()): Promise<readonly KeptFile[]> => {
  const kept: KeptFile[] = []
  for await (const one of storage.list(before)) kept.push(one)
  return kept
}

const named = async (storage: FileStorage, key: string): Promise<KeptFile | undefined> =>
  (await listed(storage)).find((one) => one.complete && one.key === key)

const unfinishedIn = async (storage: FileStorage): Promise<readonly KeptFile[]> =>
  (await listed(storage)).filter(({ complete }) => !complete)

const missing = expect.objectContaining({ name: 'StorageError', kind: 'missing' })

/** Bytes that stop until they are let go on. */
const held = (first: Uint8Array) => {
  const { promise, resolve: go, reject: fail } = Promise.withResolvers<Uint8Array>()
  // It may fail before anybody waits for it.
  promise.catch(() => undefined)
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield first
    yield await promise
  }
  return { bytes: bytes(), go, fail }
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What every storage does. */
export const storageContract = ({ open, signs, part }: StorageUnderTest): void => {
  let storage: FileStorage
  const put = async (content: Uint8Array, type?: string): Promise<string> => {
    const key = newKey(type)
    await storage.put(key, chunked(content))
    return key
  }
  const expectNothing = async (key: string): Promise<void> => {
    await expect(storage.stat(key)).rejects.toEqual(missing)
    await expect(storage.open(key)).rejects.toEqual(missing)
    expect(await named(storage, key)).toBeUndefined()
  }

  beforeAll(async () => {
    storage = await open()
  })

  test('finds itself usable', async () => {
    await storage.check()
    expect(await listed(storage)).toEqual([])
  })

  describe('a file', () => {
    test.each([0, 1, 100_000])('of %i bytes comes back as it went', async (size) => {
      const content = randomBytes(size)
      const key = newKey()
      expect(await storage.put(key, chunked(content))).toBe(size)
      expect(await bytesOf(await storage.open(key))).toEqual(content)
      expect((await storage.stat(key)).size).toBe(size)
    })

    test('of many parts comes back as it went', async () => {
      const content = randomBytes(2 * part + 12_345)
      const key = await put(content)
      expect(hash(await bytesOf(await storage.open(key)))).toBe(hash(content))
      expect((await storage.stat(key)).size).toBe(content.length)
    })

    test('is cut into chunks in no way that matters', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 }), async (chunks) => {
          const key = newKey()
          await storage.put(
            key,
            (async function* () {
              yield* chunks
            })(),
          )
          expect(await bytesOf(await storage.open(key))).toEqual(Buffer.concat(chunks))
          await storage.delete(key)
        }),
        { numRuns: 20 },
      )
    })

    test('has the type of its key, a strong tag and the time that it was written', async () => {
      const start = Date.now()
      const [one, other] = [await put(randomBytes(10)), await put(randomBytes(10), 'text/html')]
      const [known, second] = [await storage.stat(one), await storage.stat(other)]
      expect(known.type).toBe('image/png')
      expect(second.type).toBe('text/html')
      expect(known.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
      expect(known.etag).not.toBe(second.etag)
      expect(await storage.stat(one)).toEqual(known)
      // Times of a storage may be whole seconds.
      expect(known.modified.getTime()).toBeGreaterThanOrEqual(Math.floor(start / 1000) * 1000)
      expect(known.modified.getTime()).toBeLessThan(start + 60_000)
    })

    test('is read in part', async () => {
      const key = await put(Buffer.from('0123456789'))
      const read = async (first: number, last: number) =>
        (await bytesOf(await storage.open(key, { first, last }))).toString()
      expect(await read(0, 0)).toBe('0')
      expect(await read(3, 5)).toBe('345')
      expect(await read(9, 9)).toBe('9')
      expect(await read(0, 9)).toBe('0123456789')
    })

    test('is read by several at once, and by one that breaks off', async () => {
      const content = randomBytes(500_000)
      const key = await put(content)
      const broken = await storage.open(key)
      for await (const _ of broken) break
      const all = await Promise.all([1, 2, 3].map(async () => bytesOf(await storage.open(key))))
      for (const one of all) expect(one.equals(content)).toBe(true)
    })

    test('is gone once deleted, and deleting it again does nothing', async () => {
      const key = await put(randomBytes(10))
      await storage.delete(key)
      await expectNothing(key)
      await storage.delete(key)
    })

    test('that another program named is read too', async () => {
      const key = 'uploads/Übersicht 2024 (1).jpeg'
      await storage.put(key, chunked(Buffer.from('x')))
      expect((await storage.stat(key)).type).toBe('image/jpeg')
      expect(await named(storage, key)).toBeUndefined()
      await storage.delete(key)
      await expectNothing(key)
    })
  })

  describe('a key', () => {
    test.each(['Product/photo', newKey(), `${newKey()}x`])('that names nothing is missing: %s', expectNothing)

    test.each([
      '',
      '.',
      '..',
      '/',
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a//b',
      'a/',
      '.unfinished/x',
      'a\0b',
    ])('that none can have is missing, deletes nothing and is never put: %j', async (key) => {
      await expectNothing(key)
      await storage.delete(key)
      await expect(storage.put(key, chunked(Buffer.from('x')))).rejects.toThrow(RangeError)
    })

    test('that is the folder of another is missing', async () => {
      const key = await put(randomBytes(10))
      const folder = key.slice(0, key.lastIndexOf('/'))
      await expectNothing(folder)
      await expectNothing(`${key}/more`)
      expect((await storage.stat(key)).size).toBe(10)
    })
  })

  describe('an upload', () => {
    // One that fits into a single request, and one of which a part was sent already.
    test.each([
      ['short', 10],
      ['long', part + 10],
    ])('that is %s is nothing before it ends', async (_, size) => {
      const [first, rest] = [randomBytes(size), randomBytes(10)]
      const { bytes, go } = held(first)
      const key = newKey()
      const ended = storage.put(key, bytes)
      if (size > part) await expect.poll(() => unfinishedIn(storage)).toHaveLength(1)
      await expectNothing(key)
      go(rest)
      expect(await ended).toBe(size + 10)
      expect(hash(await bytesOf(await storage.open(key)))).toBe(hash(Buffer.concat([first, rest])))
      expect(await unfinishedIn(storage)).toEqual([])
    })

    test.each([
      ['short', 10],
      ['long', part + 10],
    ])('that is %s and breaks off leaves nothing, and tells why', async (_, size) => {
      const { bytes, fail } = held(randomBytes(size))
      const key = newKey()
      const ended = storage.put(key, bytes)
      if (size > part) await expect.poll(() => unfinishedIn(storage)).toHaveLength(1)
      const reason = new Error('The client went away.')
      fail(reason)
      await expect(ended).rejects.toBe(reason)
      await expectNothing(key)
      expect(await unfinishedIn(storage)).toEqual([])
    })

    test('whose bytes fail before the first leaves nothing', async () => {
      const key = newKey()
      const reason = new TypeError('There is no beginning.')
      // biome-ignore lint/correctness/useYield: it fails before.
      const bytes = (async function* (): AsyncGenerator<Uint8Array> {
        throw reason
      })()
      await expect(storage.put(key, bytes)).rejects.toBe(reason)
      await expectNothing(key)
    })

    test('that is removed as left over fails, and the file is not there', async () => {
      const { bytes, go } = held(randomBytes(part + 10))
      const key = newKey()
      // It may fail before its last bytes are there.
      const failed = expect(storage.put(key, bytes)).rejects.toEqual(
        expect.objectContaining({ kind: 'unavailable' }),
      )
      await expect.poll(() => unfinishedIn(storage)).toHaveLength(1)
      for (const one of await unfinishedIn(storage)) await one.remove()
      expect(await unfinishedIn(storage)).toEqual([])
      go(randomBytes(10))
      await failed
      await expectNothing(key)
    })

    test('goes on beside others', async () => {
      const contents = Array.from({ length: 12 }, (_, index) => randomBytes(index * 10_000))
      const keys = await Promise.all(contents.map((content) => put(content)))
      for (const [index, key] of keys.entries())
        expect((await bytesOf(await storage.open(key))).equals(contents[index]!)).toBe(true)
    })
  })

  describe('a list', () => {
    test('tells each file once, with its time, and no younger one', async () => {
      const keys = await Promise.all([put(randomBytes(1)), put(randomBytes(2)), put(randomBytes(3))])
      const all = (await listed(storage)).filter(({ key }) => keys.includes(key))
      expect(all.map(({ key }) => key).sort()).toEqual([...keys].sort())
      for (const one of all) {
        expect(one.complete).toBe(true)
        const { modified } = await storage.stat(one.key)
        // One of the two may be rounded to a second.
        expect(Math.abs(one.modified.getTime() - modified.getTime())).toBeLessThanOrEqual(1000)
      }
      expect(await listed(storage, new Date(Date.now() - 3_600_000))).toEqual([])
    })

    test('removes what it tells', async () => {
      const [gone, stays] = [await put(randomBytes(1)), await put(randomBytes(2))]
      const one = await named(storage, gone)
      await one?.remove()
      await one?.remove()
      await expectNothing(gone)
      expect((await storage.stat(stays)).size).toBe(2)
    })
  })

  if (signs) {
    describe('a signed URL', () => {
      const validFrom = (from: number) => ({ from: new Date(from), until: new Date(from + 3_600_000) })

      test('serves the file to whoever has it, a page as bytes', async () => {
        const key = await put(Buffer.from('<script>alert(1)</script>'), 'text/html')
        const reply = await fetch(await storage.signedUrl!(key, validFrom(Date.now() - 1000)))
        expect([reply.status, await reply.text()]).toEqual([200, '<script>alert(1)</script>'])
        expect(reply.headers.get('content-type')).toBe('application/octet-stream')
        expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename=[a-z2-7]{26}\.html$/)
      })

      test('is one and the same for the same time', async () => {
        const key = await put(randomBytes(1))
        const valid = validFrom(Date.now() - 1000)
        expect(await storage.signedUrl!(key, valid)).toBe(await storage.signedUrl!(key, valid))
      })

      test('is refused when it has ended, is changed, or names another file', async () => {
        const [one, other] = [await put(randomBytes(1)), await put(randomBytes(1))]
        const ended = await storage.signedUrl!(one, validFrom(Date.now() - 3_700_000))
        const url = await storage.signedUrl!(one, validFrom(Date.now() - 1000))
        for (const wrong of [ended, url.replace(one, other), url.replace(/Expires=\d/, 'Expires=9')])
          expect((await fetch(wrong)).status).toBeOneOf([400, 403])
      })
    })
  } else {
    test('has no signed URLs', () => {
      expect(storage.signedUrl).toBeUndefined()
    })
  }

  test('refuses with errors that say nothing of the system', async () => {
    const error = await storage.open(newKey()).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StorageError)
    expect((error as Error).message).toBe(new StorageError('missing').message)
  })
}
