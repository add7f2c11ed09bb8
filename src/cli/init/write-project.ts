import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { reasonOf } from '../client/reason-of.ts'
import { Failure } from '../failure.ts'
import type { FreeFolder } from './free-folder.ts'
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
    throw new Failure(`${folder.path} cannot be written: ${reasonOf(error)}. Nothing is left of it.`)
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
