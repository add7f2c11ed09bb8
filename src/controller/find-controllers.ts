import { dirname, resolve } from 'node:path'
import { StartError } from '../error/start-error.ts'
import { type ControllerClass, isControllerClass } from './base-model-controller.ts'
import type { FoundController } from './controllers-of.ts'
import { linkedModel } from './link.ts'
import { loadControllers } from './load-controllers.ts'
import { isFolder, type ModuleFile, moduleFiles } from './module-files.ts'
import { assertOneBuild } from './one-build.ts'
import { runningEntry } from './running-entry.ts'

/** Where to look for controllers. */
export interface ControllerSearch {
  /** The option `controllers`. Where it is given, no folder is read. */
  readonly given?: readonly unknown[] | undefined
  /** The setting `BASE_DIR`. @default the working folder */
  readonly baseDir?: string | undefined
  /** The labels of the apps. */
  readonly apps: readonly string[]
  /** The file that was started. @default that of this process */
  readonly entry?: string | undefined
}

/** The controllers of an application. */
export interface FoundControllers {
  readonly controllers: readonly FoundController[]
  /** For the start line: `controllers: 3 from controllers/`. */
  readonly summary: string
}

/**
 * The controllers that are given, or else those that the files of `controllers/` under the base folder and under each app's
 * folder (`<label>`, `apps/<label>`) export. A class counts once, however often it is exported.
 *
 * @throws StartError for what is no controller, and for a file that cannot be imported or exports none
 */
export const findControllers = async (search: ControllerSearch): Promise<FoundControllers> => {
  if (search.given !== undefined) {
    const controllers = givenControllers(search.given)
    return { controllers, summary: `controllers: ${controllers.length} given` }
  }
  const modules = moduleFilesOf(search)
  const controllers: FoundController[] = []
  // One after the other, so that the first mistake is the same one at every start.
  for (const file of modules.flatMap(({ files }) => files)) controllers.push(...(await loadControllers(file)))
  const folders = modules.filter(({ files }) => files.length > 0).map(({ folder }) => `${folder}/`)
  const distinct = once(controllers)
  return {
    controllers: distinct,
    summary:
      folders.length === 0
        ? 'controllers: none'
        : `controllers: ${distinct.length} from ${folders.join(', ')}`,
  }
}

/** @throws StartError for an entry that is no linked controller */
const givenControllers = (given: readonly unknown[]): readonly FoundController[] => {
  if (!Array.isArray(given)) {
    throw new StartError('The option controllers must be an array: controllers: [ProductController].')
  }
  return once(
    given.map((controller: unknown, index) => {
      const place = `controllers[${index}]`
      if (!isControllerClass(controller)) {
        throw new StartError(
          `${place} is no controller. Give what controllerFor('Product', { … }) gives back: controllers: [ProductController].`,
        )
      }
      const named = controller.name === '' ? place : `${place}, ${controller.name}`
      if (linkedModel(controller) !== undefined) return { controller, place: named }
      throw new StartError(
        `${named} is linked to no model. Link it: controllerFor('Product', ${controller.name || 'class …'}).`,
      )
    }),
  )
}

const once = (found: readonly FoundController[]): readonly FoundController[] => {
  const classes = new Map<ControllerClass, FoundController>()
  for (const entry of found) if (!classes.has(entry.controller)) classes.set(entry.controller, entry)
  return [...classes.values()]
}

interface FolderOfModules {
  readonly folder: string
  readonly files: readonly ModuleFile[]
}

const foldersOf = (apps: readonly string[]): readonly string[] => [
  'controllers',
  ...apps.flatMap((app) => [`${app}/controllers`, `apps/${app}/controllers`]),
]

const moduleFilesOf = (search: ControllerSearch): readonly FolderOfModules[] => {
  const { baseDir, apps, entry = runningEntry() } = search
  const base = resolve(baseDir ?? '.')
  if (!isFolder(base)) {
    throw new StartError(`The setting BASE_DIR is no folder: ${base}. Write BASE_DIR: import.meta.dirname.`)
  }
  const seen = new Set<string>()
  const read = (root: string): readonly FolderOfModules[] =>
    foldersOf(apps).map((folder) => ({ folder, files: moduleFiles(resolve(root, folder), folder, seen) }))
  const modules = read(base)
  assertOneBuild(
    modules.flatMap(({ files }) => files),
    entry,
  )
  if (baseDir === undefined && entry !== undefined) assertNoneBeside(entry, base, read)
  return modules
}

/** Started from another folder (by a service, or compiled into `dist`), controllers would be passed over. */
const assertNoneBeside = (
  entry: string,
  base: string,
  read: (root: string) => readonly FolderOfModules[],
): void => {
  const beside = read(dirname(entry)).find(({ files }) => files.length > 0)
  if (beside === undefined) return
  throw new StartError(
    `${resolve(dirname(entry), beside.folder)} is beside the file that was started, but is not read: controllers are looked for in the working folder, ${base}. Write settings: defineSettings({ BASE_DIR: import.meta.dirname }) in that file, or give them: controllers: [ProductController].`,
  )
}
