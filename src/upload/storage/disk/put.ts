import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { arriving } from '../arriving.ts'
import { assertSafeKey } from '../storage-key.ts'
import { type Folders, syncFolder } from './folders.ts'
import type { Places } from './places.ts'
import { writingRefusal } from './refusal.ts'

/**
 * Writes to an unfinished file first. That one is synchronised and then renamed, so that the key's name appears only when
 * all of the content is on the disk.
 */
export const putInto =
  (places: Places, folders: Folders) =>
  async (key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
    assertSafeKey(key)
    const file = join(places.root, ...key.split('/'))
    const unfinished = join(places.unfinished, randomUUID())
    const passing = arriving(bytes)
    try {
      await folders.ensure(places.unfinished)
      await write(unfinished, passing.bytes)
      await folders.ensure(dirname(file))
      await rename(unfinished, file)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined)
      throw passing.failure(error, writingRefusal)
    }
    try {
      await syncFolder(dirname(file))
    } catch (error) {
      await rm(file, { force: true }).catch(() => undefined)
      throw writingRefusal(error)
    }
    return passing.size()
  }

/** An existing file is never written over. */
const write = async (file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const opened = await open(file, 'wx')
  try {
    await opened.writeFile(bytes)
    await opened.sync()
  } finally {
    await opened.close()
  }
}
