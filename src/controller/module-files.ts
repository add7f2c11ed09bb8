import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { StartError } from '../error/start-error.ts'

/** A file of a `controllers/` folder. */
export interface ModuleFile {
  readonly path: string
  /** As messages name it: from `BASE_DIR` on, with slashes. */
  readonly place: string
}

const folders = { left: /^(\.|node_modules$|__tests__$)/ }
const files = {
  left: /^\.|\.(test|spec)\.\w+$|\.d\.[cm]?ts$/,
  read: /\.m?[jt]s$/,
  /** Code that `import()` or Node's type stripping would not read as it is meant. */
  refused: /\.(c[jt]s|[jt]sx)$/,
}

/**
 * The modules of a folder and of those in it, in the order of their names. None where there is no such folder.
 *
 * Tests, declarations, what begins with a dot, `__tests__` and `node_modules` are left out.
 *
 * @throws StartError for code with an extension that is not read: a controller in it would be passed over.
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
      if (isFolder(path)) return folders.left.test(name) ? [] : moduleFiles(path, at, seen)
      return files.left.test(name) ? [] : asModule({ path, place: at })
    })
}

const asModule = (file: ModuleFile): readonly ModuleFile[] => {
  if (files.refused.test(basename(file.path))) {
    throw new StartError(
      `${file.place} is not read: controllers are ES modules that end in .ts, .js, .mts or .mjs.`,
    )
  }
  return files.read.test(file.path) ? [file] : []
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
