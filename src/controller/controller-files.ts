import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from '../error/start-error.ts'
import { assertRead, isFolder, type ModuleFile, moduleFiles } from './module-files.ts'
import { assertOneBuild } from './one-build.ts'
import { assertOneLoader } from './one-loader.ts'
import { runningEntry } from './running-entry.ts'

/** Which folders to look into. */
export interface FileSearch {
  /** The setting `BASE_DIR`. @default the working folder */
  readonly baseDir?: string | undefined
  /** The labels of the apps. */
  readonly apps: readonly string[]
  /** The file that was started. @default that of this process */
  readonly entry?: string | undefined
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
  const { baseDir, apps, entry = runningEntry() } = search
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
  if (baseDir === undefined && entry !== undefined) assertNoneBeside(entry, base, read)
  return folders
}

/** Many a framework has controllers. */
const isOurs = ({ path }: ModuleFile): boolean => readFileSync(path, 'utf8').includes('controllerFor')

/** Started from another folder (by a service, or compiled into `dist`), controllers would be passed over. */
const assertNoneBeside = (
  entry: string,
  base: string,
  read: (root: string) => readonly ControllerFolder[],
): void => {
  const beside = read(dirname(entry)).find(({ files }) => files.some(isOurs))
  if (beside === undefined) return
  throw new StartError(
    `${resolve(dirname(entry), beside.folder)} is beside the file that was started, but is not read: controllers are looked for in the working folder, ${base}. Write settings: defineSettings({ BASE_DIR: import.meta.dirname }) in that file, or give them: controllers: [ProductController].`,
  )
}
