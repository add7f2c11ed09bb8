import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describeError, Failure } from '../command.ts'
import { filesBelow, type Marker, markerFile, type OutputFolder, savedIn } from './output-folder.ts'

/** In it people tell the generator which files are theirs. */
const ignoreFile = '.openapi-generator-ignore'

/**
 * Gives the generator what the folder says of files that it must leave alone.
 *
 * @throws Failure where that cannot be read
 */
export const takeOver = ({ name, path, isThere }: OutputFolder, staging: string): void => {
  if (!isThere || !existsSync(join(path, ignoreFile))) return
  try {
    copyFileSync(join(path, ignoreFile), join(staging, ignoreFile))
  } catch (error) {
    throw new Failure(`${ignoreFile} in ${name} cannot be read: ${describeError(error)}.`)
  }
}

/**
 * Puts a generated client where it belongs. Of what is there, files of the client before are replaced and removed; all
 * others stay.
 *
 * @returns how many files the client has
 * @throws Failure where something that was not generated is in the way, and where the folder cannot be written. Then
 *   everything is as it was
 */
export const installClient = (
  staging: string,
  output: OutputFolder,
  about: Omit<Marker, 'files'>,
  isForced: boolean,
): number => {
  const files = filesBelow(staging).toSorted()
  const made = moves()
  try {
    writeFileSync(join(staging, markerFile), `${JSON.stringify({ ...about, files }, undefined, 2)}\n`)
    if (output.isThere) replace(staging, output, files, isForced, made)
    else made.move(staging, output.path)
  } catch (error) {
    const isAsItWas = made.undo()
    if (error instanceof Failure) throw error
    const after = isAsItWas
      ? 'Everything is as it was.'
      : `Not all of it could be put back: what is missing is in ${savedIn(staging)}.`
    throw new Failure(`${output.name} cannot be written: ${describeError(error)}. ${after}`)
  }
  rmSync(savedIn(staging), { recursive: true, force: true, maxRetries: 3 })
  return files.length
}

const replace = (
  staging: string,
  { name, path, marker }: OutputFolder,
  files: readonly string[],
  isForced: boolean,
  made: Moves,
): void => {
  const ours = new Set([...(marker?.files ?? []), markerFile])
  const wanted = new Set([...files, markerFile])
  const isInside = (file: string) => join(path, file).startsWith(join(staging, '..'))
  const there = filesBelow(path).filter((file) => !isInside(file))
  const keepsStale = hasRules(join(path, ignoreFile))
  const stale = new Set(keepsStale ? [] : there.filter((file) => ours.has(file) && !wanted.has(file)))
  const replaced = there.filter((file) => wanted.has(file))
  assertFree(name, wanted, {
    kept: there.filter((file) => !stale.has(file)),
    emptyFolders: emptyFoldersBelow(path),
    replaced: isForced ? [] : replaced.filter((file) => !ours.has(file)),
  })
  for (const file of [...stale, ...replaced]) made.move(join(path, file), join(savedIn(staging), file))
  // A file of the new client may stand where a folder of the one before was.
  for (const file of stale) removeEmptyAbove(path, file, made)
  for (const file of wanted) made.move(join(staging, file), join(path, file))
}

/** What stays in a folder, and what of the files that are replaced is not ours. */
interface Standing {
  readonly kept: readonly string[]
  readonly emptyFolders: readonly string[]
  readonly replaced: readonly string[]
}

const assertFree = (
  name: string,
  wanted: ReadonlySet<string>,
  { kept, emptyFolders, replaced }: Standing,
): void => {
  const folders = new Set([...wanted].flatMap(foldersOf))
  const isBelowWanted = (file: string) => foldersOf(file).some((folder) => wanted.has(folder))
  const blocked = [
    ...kept.filter((file) => folders.has(file) || isBelowWanted(file)),
    ...emptyFolders.filter((folder) => wanted.has(folder) || isBelowWanted(folder)),
  ]
  const inTheWay = [...blocked, ...replaced]
  if (inTheWay.length > 0)
    throw new Failure(
      `${name} holds what was not generated, and the client has files in its place: ${inTheWay.join(', ')}. Move them away${blocked.length === 0 ? ', or replace them with --force' : ''}.`,
    )
}

const emptyFoldersBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(folder, name)).length === 0
        ? [name]
        : emptyFoldersBelow(join(folder, name)).map((below) => `${name}/${below}`),
    )

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

const removeEmptyAbove = (path: string, file: string, made: Moves): void => {
  for (const folder of foldersOf(file).toReversed()) {
    // Gone with another file, or something else is in it.
    if (existsSync(join(path, folder)) && !made.removeEmpty(join(path, folder))) return
  }
}

/** Changes to folders that can be taken back. */
interface Moves {
  /** Moves a file or a folder, and makes the folders above its new place. */
  move(from: string, to: string): void
  /** Removes a folder, and says whether it could: one with something in it stays. */
  removeEmpty(folder: string): boolean
  /** Takes everything back, the last first. It says whether all that was moved is where it was. */
  undo(): boolean
}

/** No changes yet. */
const moves = (): Moves => {
  const undos: (() => void)[] = []
  const makeFolder = (folder: string): void => {
    if (existsSync(folder)) return
    makeFolder(dirname(folder))
    mkdirSync(folder)
    undos.push(() => {
      rmdirIfEmpty(folder)
    })
  }
  return {
    move: (from, to) => {
      makeFolder(dirname(to))
      renameSync(from, to)
      undos.push(() => renameSync(to, from))
    },
    removeEmpty: (folder) => {
      const { mode } = statSync(folder)
      if (!rmdirIfEmpty(folder)) return false
      undos.push(() => {
        mkdirSync(folder)
        // The mode that mkdir takes is cut by the umask.
        chmodSync(folder, mode)
      })
      return true
    },
    undo: () => undos.toReversed().filter((undo) => !succeeds(undo)).length === 0,
  }
}

const rmdirIfEmpty = (folder: string): boolean => succeeds(() => rmdirSync(folder))

const succeeds = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}
