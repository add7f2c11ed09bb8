import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'
import { StartError } from '../error/errors.ts'

/** Settings of the application's own files. */
export const controllerSettings = {
  /** The folder of the application, which holds `controllers/` and the folders of apps. @default the working folder */
  BASE_DIR: { type: 'string' },
} as const

/** A file of a `controllers/` folder. */
export interface ModuleFile {
  readonly path: string
  /** As messages name it: from `BASE_DIR` on, with slashes. */
  readonly place: string
}

const leftFolders = /^(\.|node_modules$|__tests__$)/
const leftFiles = /^\.|\.(test|spec)\.\w+$|\.d\.[cm]?ts$/
const code = /\.([cm]?[jt]s|[jt]sx)$/
const loadable = /\.m?[jt]s$/

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
  const other = files.find(({ path }) => !loadable.test(path))
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

const typescript = /\.m?ts$/
const javascript = /\.[cm]?js$/

/**
 * Sources and their compiled output are two applications: each loads the models, and opens the database, by itself. A
 * controller of the other one would work on a database that nobody else sees.
 *
 * @param entry The file that was started, where it is known
 * @throws StartError where the controllers are of the sources and what runs is compiled, or both are in one folder
 */
export const assertOneBuild = (modules: readonly ModuleFile[], entry: string | undefined): void => {
  const places = new Set(modules.map(({ place }) => place))
  for (const { place } of modules) {
    if (!typescript.test(place)) continue
    const compiled = place.replace(/ts$/, 'js')
    if (places.has(compiled)) {
      throw new StartError(
        `${place} and ${compiled} are both there, and one of them is old. Compile into a folder of its own (outDir), or give the controllers: controllers: [ProductController].`,
      )
    }
    if (entry !== undefined && javascript.test(entry)) {
      throw new StartError(
        `${place} is TypeScript, but ${entry} runs as JavaScript: it would get a second copy of your models and database. Read the compiled controllers, settings: defineSettings({ BASE_DIR: import.meta.dirname }), or give them: controllers: [ProductController].`,
      )
    }
  }
}

/**
 * Vitest loads the modules of an application by itself, but leaves packages to Node. What a package imports is then loaded
 * by Node: controllers would get a second copy of the models and the database.
 *
 * @throws StartError where that is so
 */
export const assertOneLoader = (
  [file]: readonly ModuleFile[],
  byVitest: boolean = '__vitest_worker__' in globalThis,
  leftToNode: boolean = !('env' in import.meta),
): void => {
  if (file === undefined || !byVitest || !leftToNode) return
  throw new StartError(
    `${file.place}: Vitest leaves packages to Node, so the controllers would get a second copy of your models and database. Write test: { server: { deps: { inline: ['modelrest'] } } } in vitest.config.ts, or give the controllers: controllers: [ProductController].`,
  )
}

const ownPackage = fileURLToPath(new URL('../..', import.meta.url))

const isOfApplication = (file: string): boolean =>
  !file.includes(`${sep}node_modules${sep}`) && !file.startsWith(ownPackage)

/**
 * The file of the application that was started, with links followed. `undefined` if a tool was started, such as a test
 * runner, a process manager or our own command line.
 */
export const runningEntry = (started: string | undefined = process.argv[1]): string | undefined => {
  if (started === undefined) return undefined
  try {
    // `node .` and `node dist/server` do not name the file itself.
    const entry = createRequire(import.meta.url).resolve(started)
    return isOfApplication(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

/** More frames than lie between the application and the constructor of `ModelRest`. */
const FRAMES = 20

/** The file of the application that calls us. `undefined` if the runtime cannot tell. */
export const callingFile = (): string | undefined => {
  // Not every runtime with Node's modules has this function, so it is not imported by its name.
  const scripts = util.getCallSites?.(FRAMES).map(({ scriptName }) => scriptName) ?? []
  const files = scripts.filter((script) => /^(?:file:|\/|[a-z]:\\)/i.test(script))
  return files.map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file)).find(isOfApplication)
}

/** What an application could have written its controllers in. */
interface Passing {
  /** Where controllers were looked for: the setting `BASE_DIR`, or the working folder. */
  readonly base: string
  /** Files of the application that run. */
  readonly running: readonly string[]
  /** The `controllers/` folders of a folder that were not read yet. */
  read(root: string): readonly { readonly folder: string; readonly files: readonly ModuleFile[] }[]
}

/**
 * An application that was started from another folder, or compiled into one, would run without its controllers, and so
 * without their scopes and permissions.
 *
 * @throws StartError if there are controllers in a folder of the project that is not read
 */
export const assertNonePassedOver = ({ base, running, read }: Passing): void => {
  const starts = [...running.map((file) => dirname(file)), base]
  const roots = new Set(starts.flatMap(packageFolders).flatMap((folder) => [folder, join(folder, 'src')]))
  for (const root of roots) {
    const found = read(root).find(({ files }) => files.some(isOurs))
    if (found === undefined) continue
    throw new StartError(
      `${join(root, found.folder)} has controllers that are not loaded, because modelrest looks for them in ${base}. Write settings: defineSettings({ BASE_DIR: ${baseDirFor(root, running[0])} }), give them (controllers: [ProductController]), or write controllers: [] if they are not meant.`,
    )
  }
}

const baseDirFor = (root: string, file: string | undefined): string => {
  const way = file === undefined ? root : relative(dirname(file), root).split(sep).join('/')
  if (file === undefined) return `'${root}'`
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
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return isFolder(join(folder, 'node_modules')) || 'name' in Object(manifest)
  } catch {
    return false
  }
}

/** Many frameworks have controllers. */
const isOurs = ({ path }: ModuleFile): boolean =>
  /controllerFor|from ['"]modelrest/i.test(readFileSync(path, 'utf8'))
