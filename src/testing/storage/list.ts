import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { same } from '../suite/assertions.ts'
import type { Test } from './subject.ts'

/** Declares the tests of the list. */
export const describeList = (test: Test): void => {
  test('lists each file once with its time, and no file written after the given time', async ({
    storage,
    put,
    listed,
  }) => {
    const keys = await Promise.all([put(randomBytes(1)), put(randomBytes(2)), put(randomBytes(3))])
    const own = (await listed()).filter(({ key }) => keys.includes(key))
    same(own.map(({ key }) => key).sort(), [...keys].sort(), 'list() must contain each file once.')
    for (const entry of own) {
      same(entry.complete, true, 'complete must be true for a stored file.')
      const { modified } = await storage.stat(entry.key)
      // One of the two may be rounded to seconds.
      const apart = Math.abs(entry.modified.getTime() - modified.getTime())
      assert.ok(apart <= 1000, `list() and stat() must return the same time, not ${apart} ms apart.`)
    }
    const older = await listed(new Date(Date.now() - 3_600_000))
    same(older, [], 'list() must leave out entries that were written after its time.')
  })

  test('remove() deletes the file of its entry, and may be called again', async ({
    storage,
    put,
    entryOf,
    assertMissing,
  }) => {
    const [removed, kept] = [await put(randomBytes(1)), await put(randomBytes(2))]
    const entry = await entryOf(removed)
    assert.ok(entry, 'list() must contain a stored file.')
    await entry.remove()
    await entry.remove()
    await assertMissing(removed)
    same((await storage.stat(kept)).size, 2, 'remove() must delete only the file of its entry.')
  })
}
