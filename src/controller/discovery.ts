import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../error/errors.ts'
import type { FoundController } from './class.ts'
import { type ControllerClass, isControllerClass, linkedModel } from './controller-for.ts'
import {
  assertNonePassedOver,
  assertOneBuild,
  assertOneLoader,
  assertRead,
  elsewhere,
  isFolder,
  type ModuleFile,
  moduleFiles,
  runningEntry,
} from './folders.ts'

/** Where to look for controllers. */
interface ControllerSearch extends FileSearch {
  /** The option `controllers`. Where it is given, no folder is read. */
  readonly given?: readonly unknown[] | undefined
}

/** The controllers of an application. */
interface FoundControllers {
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
    const controllers = withoutRepeats(givenControllers(search.given))
    return { controllers, summary: `controllers: ${controllers.length} given` }
  }
  const found = controllerFiles(search)
  const controllers: FoundController[] = []
  // One after the other, so that the first mistake is the same one at every start.
  for (const file of found.flatMap(({ files }) => files)) controllers.push(...(await loadControllers(file)))
  const folders = found.filter(({ files }) => files.length > 0).map(({ folder }) => `${folder}/`)
  const distinct = withoutRepeats(controllers)
  return {
    controllers: distinct,
    summary:
      folders.length === 0
        ? 'controllers: none'
        : `controllers: ${distinct.length} from ${folders.join(', ')}`,
  }
}

const withoutRepeats = (found: readonly FoundController[]): readonly FoundController[] => {
  const classes = new Map<ControllerClass, FoundController>()
  for (const entry of found) if (!classes.has(entry.controller)) classes.set(entry.controller, entry)
  return [...classes.values()]
}

/** The controllers of the option `controllers`. @throws StartError for what is no linked controller */
const givenControllers = (given: readonly unknown[]): readonly FoundController[] => {
  if (!Array.isArray(given)) {
    throw new StartError('The option controllers must be an array: controllers: [ProductController].')
  }
  return given.map((controller: unknown, index) => foundAs(controller, `controllers[${index}]`))
}

const foundAs = (controller: unknown, at: string): FoundController => {
  if (!isControllerClass(controller)) {
    throw new StartError(
      `${at} is no controller. Give what controllerFor('Product', { … }) gives back: controllers: [ProductController].`,
    )
  }
  const place = controller.name === '' ? at : `${at}, ${controller.name}`
  if (linkedModel(controller) !== undefined) return { controller, place }
  throw new StartError(
    `${place} is linked to no model. Link it: controllerFor('Product', ${controller.name || 'class …'}).`,
  )
}

/**
 * The controllers that a file exports.
 *
 * @throws StartError where it cannot be imported, exports none, or exports a controller class without a model
 */
const loadControllers = async (file: ModuleFile): Promise<readonly FoundController[]> => {
  const exported = Object.entries(await importModule(file)).filter(isController)
  for (const [name, controller] of exported) {
    if (linkedModel(controller) === undefined) throw new StartError(unlinked(file, name, controller))
  }
  if (exported.length > 0) {
    return exported.map(([name, controller]) => ({
      controller,
      place: `${file.place}, ${name === 'default' ? controller.name || name : name}`,
    }))
  }
  throw new StartError(
    `${file.place} exports no controller. Write export const ProductController = controllerFor('Product', { … }), or move the file to another folder. ${elsewhere}`,
  )
}

const isController = (entry: [string, unknown]): entry is [string, ControllerClass] =>
  isControllerClass(entry[1])

const unlinked = (file: ModuleFile, exportName: string, controller: ControllerClass): string => {
  const name = exportName === 'default' ? controller.name || exportName : exportName
  return `${file.place}: ${name} is linked to no model, so its hooks would never run. Link it: controllerFor('Product', ${name}). A base class of several controllers belongs outside of controllers/.`
}

const importModule = async (file: ModuleFile): Promise<object> => {
  try {
    const module: unknown = await import(/* @vite-ignore */ pathToFileURL(file.path).href)
    return Object(module)
  } catch (cause) {
    throw new StartError(reasonOf(cause, file), { cause })
  }
}

const decorator = /^\s*(export\s+(default\s+)?)?@[\p{ID_Start}$_(]/mu

const reasonOf = (cause: unknown, file: ModuleFile): string => {
  if (cause instanceof SyntaxError && decorator.test(readFileSync(file.path, 'utf8'))) {
    return `${file.place} cannot be read: Node does not know decorators. Write export const ProductController = controllerFor('Product', class extends BaseModelController { … }), or compile with tsc first.`
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return cause instanceof StartError
    ? `${file.place}: ${message}`
    : `${file.place} cannot be loaded: ${message}`
}

/** Which folders to look into. */
interface FileSearch {
  /** The setting `BASE_DIR`. @default the working folder */
  readonly baseDir?: string | undefined
  /** The labels of the apps. */
  readonly apps: readonly string[]
  /** The file of the application that made `ModelRest`, if it is known. */
  readonly calling?: string | undefined
}

/** The files of one `controllers/` folder. */
interface ControllerFolder {
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
const controllerFiles = (search: FileSearch): readonly ControllerFolder[] => {
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
