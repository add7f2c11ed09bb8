import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { matches, same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import { assertContent, bytesOf, inChunks, newKey, type Test } from './subject.ts'

/** Declares the tests of stored files and of their keys. */
export const describeFiles = (test: Test, partBytes: number): void => {
  describeContents(test, partBytes)
  describeMetadata(test)
  describeKeys(test)
}

const describeContents = (test: Test, partBytes: number): void => {
  for (const size of [0, 1, 100_000])
    test(`returns a file of ${size} bytes unchanged`, async ({ storage, read }) => {
      const content = randomBytes(size)
      const key = newKey()
      same(await storage.put(key, inChunks(content)), size, 'put() must return the number of bytes.')
      assertContent(await read(key), content, 'open() must return the stored bytes.')
      same((await storage.stat(key)).size, size, 'stat() must return the number of bytes.')
    })

  test('returns a file of several parts unchanged', async ({ storage, put, read }) => {
    const content = randomBytes(2 * partBytes + 12_345)
    const key = await put(content)
    assertContent(await read(key), content, 'open() must return the bytes of all parts.')
    same((await storage.stat(key)).size, content.length, 'stat() must return the number of bytes.')
  })

  test('accepts chunks of any size', async ({ storage, read }) => {
    const { array, assert, asyncProperty, uint8Array } = await fastCheck()
    const chunks = array(uint8Array({ maxLength: 50 }), { maxLength: 10 })
    const unchanged = asyncProperty(chunks, async (pieces) => {
      const key = newKey()
      await storage.put(key, each(pieces))
      assertContent(await read(key), Buffer.concat(pieces), 'open() must return the bytes of all chunks.')
      await storage.delete(key)
    })
    await assert(unchanged, { numRuns: 20 })
  })

  test('returns a span of a file', async ({ storage, put }) => {
    const key = await put(Buffer.from('0123456789'))
    const spans = { '0': [0, 0], '345': [3, 5], '9': [9, 9], '0123456789': [0, 9] } as const
    for (const [expected, [first, last]] of Object.entries(spans)) {
      const found = (await bytesOf(await storage.open(key, { first, last }))).toString()
      same(found, expected, `open() must return the bytes ${first} to ${last}, both included.`)
    }
  })

  test('several readers read a file at once, also if one of them stops early', async ({
    storage,
    put,
    read,
  }) => {
    const content = randomBytes(500_000)
    const key = await put(content)
    for await (const _ of await storage.open(key)) break
    const contents = await Promise.all([1, 2, 3].map(() => read(key)))
    for (const found of contents) assertContent(found, content, 'Each reader must get the whole file.')
  })

  test('deletes a file, and ignores a second delete()', async ({ storage, put, assertMissing }) => {
    const key = await put(randomBytes(10))
    await storage.delete(key)
    await assertMissing(key)
    await storage.delete(key)
  })
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const describeMetadata = (test: Test): void => {
  test('a file has the type of its key, a strong entity tag and the time of its upload', async ({
    storage,
    put,
  }) => {
    const start = Date.now()
    const [one, other] = [await put(randomBytes(10)), await put(randomBytes(10), 'text/html')]
    const [first, second] = [await storage.stat(one), await storage.stat(other)]
    same(first.type, 'image/png', 'type must follow from the extension of the key.')
    same(second.type, 'text/html', 'type must follow from the extension of the key.')
    matches(first.etag, /^"[\x21\x23-\x7e]+"$/, 'etag must be a strong entity tag with its quotes.')
    assert.notEqual(first.etag, second.etag, 'Different files must have different entity tags.')
    same(await storage.stat(one), first, 'stat() must return the same metadata again.')
    const modified = first.modified.getTime()
    // Some storages round to seconds.
    assert.ok(
      modified >= Math.floor(start / 1000) * 1000 && modified < start + 60_000,
      `modified must be the time of the upload, not ${first.modified.toISOString()}.`,
    )
  })

  test('reads and deletes files whose keys other programs chose, but does not list them', async ({
    storage,
    entryOf,
    assertMissing,
  }) => {
    const key = 'uploads/Übersicht 2024 (1).jpeg'
    await storage.put(key, inChunks(Buffer.from('x')))
    same((await storage.stat(key)).type, 'image/jpeg', 'type must follow from the extension of the key.')
    same(await entryOf(key), undefined, 'list() must contain only keys that the service generated.')
    await storage.delete(key)
    await assertMissing(key)
  })
}

const invalidKeys = [
  ...['', '.', '..', '/', '/etc/passwd', '../x', 'a/../../x', 'a//b', 'a/', '.unfinished/x', 'a\0b'],
]

const describeKeys = (test: Test): void => {
  for (const [what, key] of Object.entries({
    'two names': 'Product/photo',
    'a generated name': newKey(),
    'a longer name': `${newKey()}x`,
  }))
    test(`a key without a file is missing: ${what}`, ({ assertMissing }) => assertMissing(key))

  for (const key of invalidKeys)
    test(`the invalid key ${JSON.stringify(key)} is missing, and put() throws a RangeError`, async ({
      storage,
      assertMissing,
    }) => {
      await assertMissing(key)
      await storage.delete(key)
      const put = storage.put(key, inChunks(Buffer.from('x')))
      await assert.rejects(put, RangeError, 'put() must throw a RangeError for an invalid key.')
    })

  test('the folder of a file is missing, and so is a key below a file', async ({
    storage,
    put,
    assertMissing,
  }) => {
    const key = await put(randomBytes(10))
    await assertMissing(key.slice(0, key.lastIndexOf('/')))
    await assertMissing(`${key}/more`)
    same((await storage.stat(key)).size, 10, 'The file itself must stay.')
  })
}
