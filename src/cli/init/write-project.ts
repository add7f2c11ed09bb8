import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { describeError, Failure } from '../command.ts'
import type { ProjectFiles } from './project-files.ts'

/**
 * Writes all of a project, or nothing: the files appear when they are complete.
 *
 * @throws Failure where something cannot be written; what was written before is gone then
 */
export const writeProject = (folder: FreeFolder, files: ProjectFiles): void => {
  const undo: (() => void)[] = []
  try {
    if (folder.exists) fillFolder(folder.path, files, undo)
    else makeFolder(folder.path, files, undo)
  } catch (error) {
    for (const act of undo.toReversed()) act()
    throw new Failure(`${folder.path} cannot be written: ${describeError(error)}. Nothing is left of it.`)
  }
}

/** Beside its place, so that it takes one rename. */
const makeFolder = (path: string, files: ProjectFiles, undo: (() => void)[]): void => {
  const parent = dirname(path)
  const made = mkdirSync(parent, { recursive: true })
  if (made !== undefined) undo.push(() => removeEmpty(parent, made))
  const beside = join(parent, `.${basename(path)}.${randomUUID()}`)
  undo.push(() => rmSync(beside, { recursive: true, force: true }))
  writeAll(beside, files)
  renameSync(beside, path)
}

/** Inside of it: somebody may stand in this folder, or it may be another file system. */
const fillFolder = (path: string, files: ProjectFiles, undo: (() => void)[]): void => {
  const inside = join(path, `.modelrest.${randomUUID()}`)
  undo.push(() => rmSync(inside, { recursive: true, force: true }))
  writeAll(inside, files)
  for (const name of readdirSync(inside)) {
    renameSync(join(inside, name), join(path, name))
    undo.push(() => rmSync(join(path, name), { recursive: true, force: true }))
  }
  rmdirSync(inside)
}

const writeAll = (folder: string, files: ProjectFiles): void => {
  mkdirSync(folder)
  for (const [path, text] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    // The secret is for its owner alone.
    writeFileSync(file, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o666 })
  }
}

/** Removes folders from the innermost to the outermost, as long as nobody else has put something there. */
const removeEmpty = (inner: string, outer: string): void => {
  const depth = relative(outer, inner).split(sep).filter(Boolean).length
  try {
    for (let folder = inner, left = depth; left >= 0; folder = dirname(folder), left -= 1) rmdirSync(folder)
  } catch {
    // Somebody uses it.
  }
}

/** A folder that a project can be written to. */
interface FreeFolder {
  readonly path: string
  /** It is there already, and empty. */
  readonly exists: boolean
}

/** What a new repository has, and no file of ours is called. */
const harmless = new Set(['.git', '.DS_Store'])

/**
 * Looks, and changes nothing.
 *
 * @throws Failure for a folder that holds something, a file in the way, or a place that cannot be written to
 */
export const freeFolder = (path: string): FreeFolder => {
  const found = statIfThere(path)
  if (found === undefined) {
    assertParent(path, dirname(path))
    return { path, exists: false }
  }
  if (!found.isDirectory()) throw new Failure(`${path} is there already, and is no folder.`)
  assertWritable(path)
  const [first, ...more] = readdirSync(path).filter((name) => !harmless.has(name))
  if (first === undefined) return { path, exists: true }
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  throw new Failure(
    `${path} is not empty: it holds ${first}${others}. Choose another name, or empty it. Nothing was written.`,
  )
}

const assertParent = (path: string, parent: string): void => {
  const found = statIfThere(parent)
  if (found === undefined) {
    assertParent(path, dirname(parent))
    return
  }
  if (!found.isDirectory())
    throw new Failure(`${path} cannot be made: ${parent} is no folder. Nothing was written.`)
  assertWritable(parent)
}

const statIfThere = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // What lies below a file: that file is found on the way up.
    if (Reflect.get(Object(error), 'code') === 'ENOTDIR') return undefined
    throw new Failure(`${path} cannot be made: ${describeError(error)}`)
  }
}

const assertWritable = (folder: string): void => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new Failure(`Nobody may write to ${folder} as this user. Nothing was written.`)
  }
}
