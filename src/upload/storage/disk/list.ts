import type { Dirent } from 'node:fs'
import { opendir, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { KeptFile } from '../storage.ts'
import { isMade } from '../storage-key.ts'
import type { Places } from './places.ts'
import { refusalOf, unlessMissing } from './refusal.ts'

/** All files of ours that were written before a moment, then what uploads left. */
export const listOf = (places: Places) =>
  async function* (before: Date): AsyncGenerator<KeptFile> {
    for await (const file of filesBelow(places.root)) {
      const key = relative(places.root, file).split(sep).join('/')
      if (isMade(key)) yield* keptIf(file, key, true, before)
    }
    for await (const entry of entriesOf(places.unfinished)) {
      yield* keptIf(join(places.unfinished, entry.name), `.unfinished/${entry.name}`, false, before)
    }
  }

const keptIf = async function* (
  file: string,
  key: string,
  complete: boolean,
  before: Date,
): AsyncGenerator<KeptFile> {
  // Gone meanwhile: an upload ended, or a file was deleted.
  const found = await unlessMissing(stat(file))
  if (found === undefined || found.mtime >= before) return
  const remove = async (): Promise<void> => {
    await unlessMissing(rm(file))
  }
  yield { key, complete, modified: found.mtime, remove }
}

const entriesOf = async function* (folder: string): AsyncGenerator<Dirent> {
  const opened = await unlessMissing(opendir(folder))
  if (opened === undefined) return
  try {
    yield* opened
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Keys of ours lie three folders deep, in folders whose names begin with no dot. */
const filesBelow = async function* (folder: string, depth = 3): AsyncGenerator<string> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 0 && !entry.name.startsWith('.')) yield* filesBelow(path, depth - 1)
    if (entry.isFile() && depth === 0) yield path
  }
}
