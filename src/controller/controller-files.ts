import { resolve } from 'node:path'
import { StartError } from '../error/start-error.ts'
import { assertRead, isFolder, type ModuleFile, moduleFiles } from './module-files.ts'
import { assertOneBuild } from './one-build.ts'
import { assertOneLoader } from './one-loader.ts'
import { assertNonePassedOver, runningEntry } from './passed-over.ts'

/** Which folders to look into. */
export interface FileSearch {
  /** The setting `BASE_DIR`. @default the working folder */
  readonly baseDir?: string | undefined
  /** The labels of the apps. */
  readonly apps: readonly string[]
  /** The file of the application that made `ModelRest`, if it is known. */
  readonly calling?: string | undefined
}

/** The files of one `controllers/` folder. */
export interface ControllerFolder {
  /** From `BASE_DIR` on. */
  readonly folder: string
  readonly files: readonly ModuleFile[]
}

const foldersOf = (apps: readonly string[]): readonly string[] => [
  'controllers',
  ...apps.flatMap((app) => [`${app}/controllers`, `apps/${app}/controllers`]),
]

/**
 * The `controllers/` folders, those of apps too, with their files.
 *
 * @throws StartError where files cannot be read as they are meant, or would work on a second copy of the application
 */
export const controllerFiles = (search: FileSearch): readonly ControllerFolder[] => {
  const { baseDir, apps, calling } = search
  const entry = runningEntry()
  const base = resolve(baseDir ?? '.')
  if (!isFolder(base)) {
    throw new StartError(`The setting BASE_DIR is no folder: ${base}. Write BASE_DIR: import.meta.dirname.`)
  }
  const seen = new Set<string>()
  const read = (root: string): readonly ControllerFolder[] =>
    foldersOf(apps).map((folder) => ({ folder, files: moduleFiles(resolve(root, folder), folder, seen) }))
  const folders = read(base)
  const files = folders.flatMap((found) => found.files)
  assertRead(files)
  assertOneLoader(files)
  assertOneBuild(files, entry)
  if (baseDir === undefined || files.length === 0) {
    assertNonePassedOver({ base, read, running: [entry, calling].filter((file) => file !== undefined) })
  }
  return folders
}
