import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'
import { StartError } from '../error/start-error.ts'
import { isFolder, type ModuleFile } from './module-files.ts'

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
export interface Passing {
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
