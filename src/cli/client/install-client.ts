import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import { filesBelow } from './files-below.ts'
import { type Marker, markerFile } from './marker.ts'
import type { OutputFolder } from './output-folder.ts'

/** In it people tell the generator which files are theirs. */
const ignoreFile = '.openapi-generator-ignore'

/** Gives the generator what the folder says of files that it must leave alone. */
export const takeOver = ({ path, isThere }: OutputFolder, staging: string): void => {
  if (isThere && existsSync(join(path, ignoreFile)))
    copyFileSync(join(path, ignoreFile), join(staging, ignoreFile))
}

/**
 * Puts a generated client where it belongs. Of what is there, files of the client before are replaced and removed; all
 * others stay.
 *
 * @returns how many files the client has
 * @throws Failure, before anything is changed, where a file that was not generated is in the way
 */
export const installClient = (
  staging: string,
  output: OutputFolder,
  about: Omit<Marker, 'files'>,
  isForced: boolean,
): number => {
  const files = filesBelow(staging).toSorted()
  writeFileSync(join(staging, markerFile), `${JSON.stringify({ ...about, files }, undefined, 2)}\n`)
  if (output.isThere) replace(staging, output, files, isForced)
  else {
    mkdirSync(dirname(output.path), { recursive: true })
    renameSync(staging, output.path)
  }
  return files.length
}

const replace = (
  staging: string,
  { name, path, marker }: OutputFolder,
  files: readonly string[],
  isForced: boolean,
): void => {
  const ours = new Set([...(marker?.files ?? []), markerFile])
  const isInside = (file: string) => join(path, file).startsWith(join(staging, '..'))
  const there = filesBelow(path).filter((file) => !isInside(file))
  const theirs = there.filter((file) => !ours.has(file))
  assertFree(name, files, theirs, isForced)
  const wanted = new Set(files)
  const stale = there.filter((file) => ours.has(file) && !wanted.has(file))
  if (!hasRules(join(path, ignoreFile))) for (const file of stale) remove(path, file)
  for (const file of [...files, markerFile]) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    renameSync(join(staging, file), join(path, file))
  }
}

const assertFree = (
  name: string,
  files: readonly string[],
  theirs: readonly string[],
  isForced: boolean,
): void => {
  const wanted = new Set(files)
  const folders = new Set(files.flatMap(foldersOf))
  const blocked = theirs.filter(
    (file) => folders.has(file) || foldersOf(file).some((folder) => wanted.has(folder)),
  )
  const replaced = isForced ? [] : theirs.filter((file) => wanted.has(file))
  const inTheWay = [...blocked, ...replaced]
  if (inTheWay.length > 0)
    throw new Failure(
      `${name} holds what was not generated, and the client has files in its place: ${inTheWay.join(', ')}. Move them away${blocked.length === 0 ? ', or replace them with --force' : ''}.`,
    )
}

/** `a/b/c.ts` -> `a`, `a/b` */
const foldersOf = (file: string): readonly string[] => {
  const names = file.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

/** With rules, files that the generator left out may be there because someone changed them. */
const hasRules = (file: string): boolean =>
  existsSync(file) &&
  readFileSync(file, 'utf8')
    .split('\n')
    .some((line) => line.trim() !== '' && !line.startsWith('#'))

const remove = (path: string, file: string): void => {
  rmSync(join(path, file), { force: true })
  for (const folder of foldersOf(file).toReversed()) {
    try {
      rmdirSync(join(path, folder))
    } catch {
      // Something else is in it.
      return
    }
  }
}
