import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import util from 'node:util'
import { StartError } from '../error/errors.ts'
import type { FoundController } from './class.ts'
import { type ControllerClass, isControllerClass, linkedModel } from './controller-for.ts'

/** Settings of the application's own files. */
export const controllerSettings = {
  /** The folder of the application, which contains `controllers/` and the folders of apps. @default the working directory */
  BASE_DIR: { type: 'string' },
} as const

export interface ControllerSearch {
  readonly given?: readonly unknown[] | undefined
  /** The setting `BASE_DIR`. @default the working folder */
  readonly baseDir?: string | undefined
  readonly apps: readonly string[]
  /** The files of the application that made `ModelRest`, the innermost first. @default none is known */
  readonly calling?: readonly string[]
}

/**
 * The controllers that are given, or else those that the files of `controllers/` under the base folder and under each app's
 * folder (`<label>`, `apps/<label>`) export. A class counts once, however often it is exported.
 */
export const findControllers = async (
  search: ControllerSearch,
): Promise<{ readonly controllers: readonly FoundController[]; readonly summary: string }> => {
  const { given, baseDir, apps, calling = [] } = search
  if (given !== undefined) {
    const controllers = withoutRepeats(givenControllers(given))
    return { controllers, summary: `controllers: ${controllers.length} given` }
  }
  if (Reflect.get(manifestIn(ownPackage) ?? {}, 'name') !== 'modelrest') {
    throw new StartError(
      'modelrest lies in a bundle, where controllers are not found. Leave it out of the bundle (esbuild: --packages=external), or give the controllers: controllers: [ProductController].',
    )
  }
  const base = resolve(baseDir ?? '.')
  if (!isFolder(base))
    throw new StartError(`The setting BASE_DIR is no folder: ${base}. Write BASE_DIR: import.meta.dirname.`)
  const read = readerOf(apps)
  const folders = read(base)
  const files = folders.flatMap((folder) => folder.files)
  if (baseDir === undefined || files.length === 0) assertNonePassedOver(base, calling, read)
  assertSameBuild(files, calling)
  const controllers: FoundController[] = []
  // One after the other, so that the first mistake is the same one at every start.
  for (const file of files) controllers.push(...(await loadControllers(file)))
  const distinct = withoutRepeats(controllers)
  const places = folders.map(({ place }) => `${place}/`).join(', ')
  return {
    controllers: distinct,
    summary: places === '' ? 'controllers: none' : `controllers: ${distinct.length} from ${places}`,
  }
}

const withoutRepeats = (found: readonly FoundController[]): readonly FoundController[] => {
  const classes = new Map<ControllerClass, FoundController>()
  for (const entry of found) if (!classes.has(entry.controller)) classes.set(entry.controller, entry)
  return [...classes.values()]
}

const givenControllers = (given: readonly unknown[]): readonly FoundController[] => {
  if (!Array.isArray(given))
    throw new StartError('The option controllers must be an array: controllers: [ProductController].')
  return given.map((controller: unknown, index) => {
    const at = `controllers[${index}]`
    if (!isControllerClass(controller))
      throw new StartError(
        `${at} is no controller. Give what controllerFor('Product', { … }) gives back: controllers: [ProductController].`,
      )
    const place = controller.name === '' ? at : `${at}, ${controller.name}`
    if (linkedModel(controller) !== undefined) return { controller, place }
    throw new StartError(
      `${place} is linked to no model. Link it: controllerFor('Product', ${controller.name || 'class …'}).`,
    )
  })
}

interface ModuleFile {
  readonly path: string
  /** As messages name it: from `BASE_DIR` on, with slashes. */
  readonly place: string
}

/** Reads the `controllers/` folders below a root that were not read before. */
const readerOf = (apps: readonly string[]) => {
  const places = ['controllers', ...apps.flatMap((app) => [`${app}/controllers`, `apps/${app}/controllers`])]
  // Links can lead back to a folder, and two of the places can be one folder.
  const seen = new Set<string>()
  return (root: string) =>
    places
      .map((place) => ({ place, files: moduleFiles(resolve(root, place), place, seen) }))
      .filter(({ files }) => files.length > 0)
}

const leftOut = /^(\.|node_modules$|__tests__$)|\.(test|spec)\.\w+$|\.d\.[cm]?ts$/
const code = /\.([cm]?[jt]s|[jt]sx)$/

const moduleFiles = (folder: string, place: string, seen: Set<string>): readonly ModuleFile[] => {
  if (!isFolder(folder)) return []
  const real = realpathSync(folder)
  if (seen.has(real)) return []
  seen.add(real)
  const names = readdirSync(folder).filter((name) => !leftOut.test(name))
  return names.sort().flatMap((name) => {
    const [path, at] = [join(folder, name), `${place}/${name}`]
    if (isFolder(path)) return moduleFiles(path, at, seen)
    return code.test(name) ? [{ path, place: at }] : []
  })
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const loadControllers = async (file: ModuleFile): Promise<readonly FoundController[]> => {
  const found: FoundController[] = []
  for (const [key, controller] of Object.entries(await importModule(file))) {
    if (!isControllerClass(controller)) continue
    const name = key === 'default' ? controller.name || key : key
    if (linkedModel(controller) === undefined)
      throw new StartError(
        `${file.place}: ${name} is linked to no model, so its hooks would never run. Link it: controllerFor('Product', ${name}). A base class of several controllers belongs outside of controllers/.`,
      )
    found.push({ controller, place: `${file.place}, ${name}` })
  }
  if (found.length > 0) return found
  throw new StartError(
    `${file.place} exports no controller. Write export const ProductController = controllerFor('Product', { … }), or move the file to another folder. Where controllers/ is a folder of another framework, write controllers: [] in the options.`,
  )
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

/**
 * Sources and their compiled output are two applications: each loads the models, and opens the database, by itself. Hooks
 * of the other one would work on a database that no other part of the application sees.
 */
const assertSameBuild = (files: readonly ModuleFile[], [calling = '']: readonly string[]): void => {
  const source = files.find(({ path }) => /ts$/.test(path))
  if (source === undefined || !/\.[cm]?js$/.test(calling)) return
  throw new StartError(
    `${source.place} is TypeScript, but ${calling} runs as JavaScript: it would get a second copy of your models and database. Read the compiled controllers, settings: defineSettings({ BASE_DIR: import.meta.dirname }), or give them: controllers: [ProductController].`,
  )
}

/**
 * An application that was started from another folder, or compiled into one, would run without its controllers, and so
 * without their scopes and permissions.
 */
const assertNonePassedOver = (
  base: string,
  calling: readonly string[],
  read: ReturnType<typeof readerOf>,
): void => {
  const starts = [...calling.map((file) => dirname(file)), base]
  const roots = new Set(starts.flatMap(packageFolders).flatMap((folder) => [folder, join(folder, 'src')]))
  for (const root of roots) {
    const found = read(root).find(({ files }) => files.some(isOurs))
    if (found === undefined) continue
    throw new StartError(
      `${join(root, found.place)} has controllers that are not loaded, because modelrest looks for them in ${base}. Write settings: defineSettings({ BASE_DIR: ${baseDirFor(root, calling[0])} }), give them (controllers: [ProductController]), or write controllers: [] if they are not meant.`,
    )
  }
}

const baseDirFor = (root: string, file: string | undefined): string => {
  if (file === undefined) return `'${root}'`
  const way = relative(dirname(file), root).split(sep).join('/')
  return way === '' ? 'import.meta.dirname' : `join(import.meta.dirname, '${way}')`
}

/** The folder and those above it, up to the root of its package. Outside of any package: only the folder. */
const packageFolders = (folder: string): readonly string[] => {
  const folders = [folder]
  for (let current = folder; !isPackageRoot(current); folders.push(current)) {
    const above = dirname(current)
    if (above === current) return [folder]
    current = above
  }
  return folders
}

/** `dist/` may have a package.json that only says which modules it holds. */
const isPackageRoot = (folder: string): boolean => {
  const manifest = manifestIn(folder)
  return manifest !== undefined && (isFolder(join(folder, 'node_modules')) || 'name' in manifest)
}

const manifestIn = (folder: string): object | undefined => {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    return undefined
  }
}

/** Many frameworks have controllers. */
const isOurs = ({ path }: ModuleFile): boolean =>
  /controllerFor|from ['"]modelrest/i.test(readFileSync(path, 'utf8'))

const ownPackage = fileURLToPath(new URL('../..', import.meta.url))

/** The files of the application that call us, the innermost first. None if the runtime cannot tell. */
export const callingFiles = (): readonly string[] => {
  // Not every runtime with Node's modules has this function, so it is not imported by its name. Fewer frames than these lie
  // between the application and the constructor of `ModelRest`.
  const scripts = util.getCallSites?.(20).map(({ scriptName }) => scriptName) ?? []
  const files = scripts
    .filter((script) => /^(?:file:|\/|[a-z]:\\)/i.test(script))
    .map((script) => (script.startsWith('file:') ? fileURLToPath(script) : script))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`) && !file.startsWith(ownPackage))
  return [...new Set(files)]
}
