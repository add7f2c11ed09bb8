import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

export interface OwnPackage {
  readonly folder: string
  readonly version: string
  /** The version ranges of other packages that it is tested with. */
  readonly tested: Readonly<Record<string, string>>
  /** The packages that it uses if the project has them, such as database drivers. */
  readonly peers: readonly string[]
}

export const ownPackage = (): OwnPackage => {
  const folder = join(import.meta.dirname, '../../..')
  const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const read = (name: string): unknown => Reflect.get(Object(about), name)
  return {
    folder,
    version: String(read('version')),
    tested: Object(read('devDependencies')),
    peers: Object.keys(Object(read('peerDependencies'))),
  }
}

/**
 * The dependency in the package.json of a new project, which installs the copy that is running: the path of its
 * checkout or tarball, or a version range if it was installed from a registry.
 */
export const ownDependency = ({ folder, version }: Pick<OwnPackage, 'folder' | 'version'>): string => {
  const installed = installedIn(folder)
  if (installed === undefined) return `file:${withSlashes(folder)}`
  const source = sourceOf(folder, installed)
  if (source === undefined) return `^${version}`
  if (!source.startsWith('file:')) return source
  // npm writes these paths without percent-encoding.
  return `file:${withSlashes(resolve(installed, '..', source.slice('file:'.length)))}`
}

const withSlashes = (path: string): string => path.split(sep).join('/')

/** The outermost `node_modules` that contains a package. npm stores `.package-lock.json` there. */
const installedIn = (folder: string): string | undefined => {
  const outer = dirname(folder)
  if (outer === folder) return undefined
  return installedIn(outer) ?? (basename(outer) === 'node_modules' ? outer : undefined)
}

const sourceOf = (folder: string, installed: string): string | undefined => {
  const holder = dirname(installed)
  const key = withSlashes(relative(holder, folder))
  const stated = read(join(holder, 'package.json'), 'dependencies', basename(folder))
  const locked = read(join(installed, '.package-lock.json'), 'packages', key, 'resolved')
  // npm also records a URL for packages from a registry, so only package.json shows that a URL was requested.
  if (stated !== undefined && /^(https?|git|git\+\w+|github):/.test(stated)) return stated
  return [locked, stated].find((text) => text !== undefined && /^(file|git\+\w+):/.test(text))
}

const read = (file: string, ...path: readonly string[]): string | undefined => {
  if (!existsSync(file)) return undefined
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const found = path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), content)
  return typeof found === 'string' ? found : undefined
}
