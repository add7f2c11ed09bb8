import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { eventually, same } from '../suite/assertions.ts'
import { assertContent, assertFails, newKey, type StorageSubject, type Test } from './subject.ts'

/** In seconds: a part may have to be sent over a slow network. */
const PATIENCE = 30

/** Bytes that wait after the first chunk until they continue or fail. */
const paused = (first: Uint8Array) => {
  const { promise, resolve: resume, reject: fail } = Promise.withResolvers<Uint8Array>()
  // It may fail before it is read.
  promise.catch(() => undefined)
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield first
    yield await promise
  }
  return { bytes: bytes(), resume, fail }
}

const untilListed = ({ unfinished }: StorageSubject): Promise<void> =>
  eventually(PATIENCE, async () =>
    same((await unfinished()).length, 1, 'list() must contain an upload after its first partBytes.'),
  )

const assertNoneUnfinished = async ({ unfinished }: StorageSubject): Promise<void> =>
  same(await unfinished(), [], 'An upload that has ended must not leave an unfinished entry.')

/** Declares the tests of uploads that are running or fail. */
export const describeUploads = (test: Test, partBytes: number): void => {
  // One that fits into a single request, and one of which a part was sent already.
  const sizes = { short: 10, long: partBytes + 10 }
  for (const [length, size] of Object.entries(sizes)) {
    test(`a ${length} upload does not exist before it ends`, async (subject) => {
      const { storage, read, assertMissing } = subject
      const [first, rest] = [randomBytes(size), randomBytes(10)]
      const { bytes, resume } = paused(first)
      const key = newKey()
      const putting = storage.put(key, bytes)
      try {
        if (size > partBytes) await untilListed(subject)
        await assertMissing(key)
      } finally {
        resume(rest)
      }
      same(await putting, size + 10, 'put() must return the number of bytes.')
      const whole = Buffer.concat([first, rest])
      assertContent(await read(key), whole, 'open() must return the bytes of both chunks.')
      await assertNoneUnfinished(subject)
    })

    test(`a ${length} upload whose bytes fail leaves nothing, and throws their error`, async (subject) => {
      const { bytes, fail } = paused(randomBytes(size))
      const key = newKey()
      const putting = subject.storage.put(key, bytes)
      if (size > partBytes) await untilListed(subject)
      const reason = new Error('The client disconnected.')
      fail(reason)
      await assertRethrown(putting, reason)
      await subject.assertMissing(key)
      await assertNoneUnfinished(subject)
    })
  }

  test('an upload whose bytes fail at the start leaves nothing', async ({ storage, assertMissing }) => {
    const key = newKey()
    const reason = new TypeError('The first chunk is missing.')
    await assertRethrown(storage.put(key, failing(reason)), reason)
    await assertMissing(key)
  })

  test('an upload that remove() aborts fails, and leaves nothing', async (subject) => {
    const { bytes, resume } = paused(randomBytes(partBytes + 10))
    const key = newKey()
    // It may fail before it has all bytes.
    const failed = assertFails(subject.storage.put(key, bytes), 'unavailable', 'put() of an aborted upload')
    await untilListed(subject)
    for (const upload of await subject.unfinished()) await upload.remove()
    await assertNoneUnfinished(subject)
    resume(randomBytes(10))
    await failed
    await subject.assertMissing(key)
  })

  test('stores several files at once', async ({ put, read }) => {
    const contents = Array.from({ length: 12 }, (_, index) => randomBytes(index * 10_000))
    const stored = await Promise.all(contents.map(async (content) => ({ content, key: await put(content) })))
    for (const { content, key } of stored)
      assertContent(await read(key), content, 'Concurrent uploads must not mix their bytes.')
  })
}

async function* failing(reason: Error): AsyncGenerator<Uint8Array> {
  yield* await Promise.reject<Uint8Array[]>(reason)
}

const assertRethrown = async (putting: Promise<unknown>, reason: Error): Promise<void> => {
  const error: unknown = await putting.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  assert.ok(
    error === reason,
    `put() must throw the error of its bytes unchanged, not ${String(error ?? 'succeed')}.`,
  )
}
