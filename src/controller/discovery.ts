import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import util from 'node:util'
import { StartError } from '../error/errors.ts'
import type { FoundController } from './class.ts'
import { type ControllerClass, isControllerClass, linkedModel } from './controller-for.ts'

/** Settings about the files of the application. */
export const controllerSettings = {
  /** The folder of the application, which contains `controllers/` and the folders of apps. @default the working directory */
  BASE_DIR: { type: 'string' },
} as const

export interface ControllerSearch {
  readonly given?: readonly unknown[] | undefined
  /** The setting `BASE_DIR`. @default the working directory */
  readonly baseDir?: string | undefined
  readonly apps: readonly string[]
  /** The application files on the stack of `new ModelRest`, the innermost first. @default unknown */
  readonly calling?: readonly string[]
}

/** The controllers of an application, and the startup line that counts them. */
export interface FoundControllers {
  readonly controllers: readonly FoundController[]
  readonly summary: string
}

/**
 * The controllers in the options, or else the exports of the files in `controllers/` under the base folder and under the
 * folder of each app (`<label>`, `apps/<label>`). A class that is exported several times counts once.
 */
export const findControllers = async (search: ControllerSearch): Promise<FoundControllers> => {
  const { given, baseDir, apps, calling = [] } = search
  if (given !== undefined) {
    const controllers = givenControllers(given)
    return { controllers, summary: `controllers: ${controllers.length} from the options` }
  }
  if (Reflect.get(manifestIn(ownPackage()) ?? {}, 'name') !== 'modelrest') {
    throw new StartError(
      'modelrest is part of a bundle, where it cannot find controllers. Keep it out of the bundle (esbuild: --packages=external), or pass the controllers: controllers: [ProductController].',
    )
  }
  const base = resolve(baseDir ?? '.')
  if (!isFolder(base))
    throw new StartError(`BASE_DIR is not a folder: ${base}. Set BASE_DIR: import.meta.dirname.`)
  const read = readerOf(apps)
  const folders = read(base)
  const files = folders.flatMap((folder) => folder.files)
  if (baseDir === undefined || files.length === 0) assertNonePassedOver(base, calling, read)
  assertSameBuild(files, calling)
  const controllers: FoundController[] = []
  // In sequence, so that every start reports the same first mistake.
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

/** The controllers in the options. @throws StartError */
export const givenControllers = (given: readonly unknown[]): readonly FoundController[] => {
  if (!Array.isArray(given))
    throw new StartError('controllers must be an array, such as controllers: [ProductController].')
  const all = given.map((controller: unknown, index) => {
    const at = `controllers[${index}]`
    if (!isControllerClass(controller))
      throw new StartError(
        `${at} is not a controller. Pass the result of controllerFor('Product', { … }): controllers: [ProductController].`,
      )
    const place = controller.name === '' ? at : `${at}, ${controller.name}`
    if (linkedModel(controller) !== undefined) return { controller, place }
    throw new StartError(
      `${place} is not linked to a model. Use controllerFor('Product', ${controller.name || 'class …'}).`,
    )
  })
  return withoutRepeats(all)
}

interface ModuleFile {
  readonly path: string
  /** The path for messages: relative to `BASE_DIR`, with slashes. */
  readonly place: string
}

/** Reads the `controllers/` folders below a root that have not been read before. */
const readerOf = (apps: readonly string[]) => {
  const places = ['controllers', ...apps.flatMap((app) => [`${app}/controllers`, `apps/${app}/controllers`])]
  // Symbolic links can lead back to a folder, and two places can be the same folder.
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
  for (const [key, controller] of exportsOf(await importModule(file))) {
    if (!isControllerClass(controller)) continue
    const name = key === 'default' ? controller.name || key : key
    if (linkedModel(controller) === undefined)
      throw new StartError(
        `${file.place}: ${name} is not linked to a model, so its hooks would never run. Use controllerFor('Product', ${name}), or move a shared base class out of controllers/.`,
      )
    found.push({ controller, place: `${file.place}, ${name}` })
  }
  if (found.length > 0) return found
  throw new StartError(
    `${file.place} does not export a controller. Write export const ProductController = controllerFor('Product', { … }), or move the file to another folder; if controllers/ belongs to another framework, set the option controllers: [].`,
  )
}

/** Where TypeScript compiled `export default` to CommonJS, Node gives all exports as the default of the module. */
const exportsOf = (module: object): readonly (readonly [name: string, value: unknown])[] => {
  const whole: unknown = Reflect.get(module, 'default')
  const isCompiled = typeof whole === 'object' && whole !== null && Reflect.get(whole, '__esModule') === true
  return Object.entries(isCompiled ? whole : module)
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
    return `${file.place} cannot be loaded: Node does not support decorators. Write export const ProductController = controllerFor('Product', class extends BaseModelController { … }), or compile with tsc first.`
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return cause instanceof StartError
    ? `${file.place}: ${message}`
    : `${file.place} cannot be loaded: ${message}`
}

/**
 * Source files and their compiled output are two applications: each loads its own models and opens its own database
 * connection. Hooks of the other one would use a connection that the rest of the application does not see.
 */
const assertSameBuild = (files: readonly ModuleFile[], [calling = '']: readonly string[]): void => {
  const source = files.find(({ path }) => /ts$/.test(path))
  if (source === undefined || !/\.[cm]?js$/.test(calling)) return
  throw new StartError(
    `${source.place} is TypeScript, but ${calling} is JavaScript: the controllers would load a second copy of your models and database connection. Load the compiled controllers with settings: defineSettings({ BASE_DIR: import.meta.dirname }), or pass them: controllers: [ProductController].`,
  )
}

/**
 * An application that is started from another folder, or compiled into one, would run without its controllers, and
 * therefore without their scopes and permissions.
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
      `${join(root, found.place)} has controllers that are not loaded, because modelrest looks for controllers in ${base}. Add settings: defineSettings({ BASE_DIR: ${baseDirFor(root, calling[0])} }), pass them in the option controllers, or set controllers: [] to ignore them.`,
    )
  }
}

const baseDirFor = (root: string, file: string | undefined): string => {
  if (file === undefined) return `'${root}'`
  const way = relative(dirname(file), root).split(sep).join('/')
  const own = isCommonJs(file) ? '__dirname' : 'import.meta.dirname'
  return way === '' ? own : `join(${own}, '${way}')`
}

/** Its extension says so, or its code. */
const isCommonJs = (file: string): boolean => {
  const [, kind] = /\.([cm])[jt]s$/.exec(file) ?? []
  if (kind !== undefined) return kind === 'c'
  const text = statSync(file, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(file, 'utf8')
  return /\brequire\(/.test(text) && !/^(import|export)\b/m.test(text)
}

/** The folder and the folders above it, up to the root of its package. Outside of a package: only the folder. */
const packageFolders = (folder: string): readonly string[] => {
  const folders = [folder]
  for (let current = folder; !isPackageRoot(current); folders.push(current)) {
    const above = dirname(current)
    if (above === current) return [folder]
    current = above
  }
  return folders
}

/** `dist/` may have a package.json that only sets the module type. */
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

/** Other frameworks have `controllers/` folders too. */
const isOurs = ({ path }: ModuleFile): boolean =>
  /controllerFor|from ['"]modelrest/i.test(readFileSync(path, 'utf8'))

/** In a bundle, some runtimes do not know the URL of a module. */
const ownPackage = (): string => (import.meta.url ? fileURLToPath(new URL('../..', import.meta.url)) : '/')

/**
 * The application files on the stack, the innermost first, or the main program if there are none: a server calls a plugin
 * after the application has registered it.
 */
export const callingFiles = (): readonly string[] => {
  // Some runtimes with Node's modules lack this function, so it is not a named import. The application is always within
  // 20 frames of the constructor of `ModelRest`.
  const scripts = util.getCallSites?.(20).map(({ scriptName }) => scriptName) ?? []
  const files = applicationFiles(scripts)
  return files.length > 0 ? files : applicationFiles([process.argv?.[1] ?? ''])
}

const applicationFiles = (scripts: readonly string[]): readonly string[] => {
  const own = ownPackage()
  const files = scripts
    .filter((script) => /^(?:file:|\/|[a-z]:\\)/i.test(script))
    .map((script) => (script.startsWith('file:') ? fileURLToPath(script) : script))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`) && !file.startsWith(own))
  return [...new Set(files)]
}
