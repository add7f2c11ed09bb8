import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../error/start-error.ts'

/** A file of a `controllers/` folder. */
export interface ModuleFile {
  readonly path: string
  /** As messages name it: from `BASE_DIR` on, with slashes. */
  readonly place: string
}

const leftFolders = /^(\.|node_modules$|__tests__$)/
const leftFiles = /^\.|\.(test|spec)\.\w+$|\.d\.[cm]?ts$/
const code = /\.([cm]?[jt]s|[jt]sx)$/
const read = /\.m?[jt]s$/

/**
 * The code in a folder and in those below it, in the order of names. None where there is no such folder.
 *
 * Tests, declarations, what begins with a dot, `__tests__` and `node_modules` are left out.
 */
export const moduleFiles = (
  folder: string,
  place: string,
  seen: Set<string> = new Set(),
): readonly ModuleFile[] => {
  if (!isFolder(folder)) return []
  // Links can lead back to a folder, and two of the places that are looked at can be one folder.
  const real = realpathSync(folder)
  if (seen.has(real)) return []
  seen.add(real)
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const at = `${place}/${name}`
      if (isFolder(path)) return leftFolders.test(name) ? [] : moduleFiles(path, at, seen)
      return code.test(name) && !leftFiles.test(name) ? [{ path, place: at }] : []
    })
}

/** @throws StartError for code with an extension that is not read: a controller in it would be passed over. */
export const assertRead = (files: readonly ModuleFile[]): void => {
  const other = files.find(({ path }) => !read.test(path))
  if (other === undefined) return
  throw new StartError(
    `${other.place} is not read: controllers are ES modules that end in .ts, .js, .mts or .mjs. ${elsewhere}`,
  )
}

/** What to do where a `controllers/` folder is not meant for us. */
export const elsewhere =
  'Where controllers/ is a folder of another framework, write controllers: [] in the options.'

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
