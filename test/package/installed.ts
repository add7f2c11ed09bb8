import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { inject } from 'vitest'
import { assertAsked } from '../needed-program.ts'
import { emptyFolder, type Files, type Folder } from './folders.ts'
import { pinned } from './pinned.ts'
import { succeed } from './shell.ts'

/** What package-lock.json says about a package. */
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly bin?: Readonly<Record<string, string>>
}

const MODULES = 'node_modules'
const LOCK = 'package-lock.json'

/** A file is linked, which takes no time and no space, or copied to another disk. */
const place = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** Lays out the files of a folder. @param left the name of folders that are left out */
const placeFolder = (from: string, to: string, left?: string): void => {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === left) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) placeFolder(source, target, left)
    else place(source, target)
  }
}

/** What npm installs with a package: its optional peers stay away. */
const neededBy = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked) =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  )

/** The paths of packages of package-lock.json, with all that they need. */
const closureOf = (names: readonly string[], locked: Readonly<Record<string, Locked>>): readonly string[] => {
  const found = new Set<string>()
  const add = (name: string, from: string): void => {
    const path = `${from === '' ? '' : `${from}/`}${MODULES}/${name}`
    if (!(path in locked)) {
      if (from === '') throw new Error(`package-lock.json has no ${name}.`)
      add(name, from.slice(0, Math.max(0, from.lastIndexOf(`/${MODULES}/`))))
      return
    }
    // Packages for other platforms are not there.
    if (found.has(path) || !existsSync(path)) return
    found.add(path)
    for (const needed of neededBy(locked[path] ?? {})) add(needed, path)
  }
  for (const name of names) add(name, '')
  return [...found]
}

/** A folder from which nothing of this repository can be seen, in which modelrest is installed with packages. */
export const installed = (names: readonly string[], files: Files = {}): Folder => {
  const folder = emptyFolder({ 'package.json': '{ "private": true, "type": "module" }', ...files })
  install(folder.path, names)
  return folder
}

/**
 * Installs modelrest and packages in a folder, in the versions that `npm ci` has installed here. They are links to the same
 * files: `npm install` would take seconds.
 */
export const install = (folder: string, names: readonly string[]): void => {
  const locked = readLock()
  for (const path of closureOf([...names, ...neededBy(locked[''] ?? {})], locked)) {
    if (existsSync(join(folder, path))) continue
    placeFolder(path, join(folder, path), MODULES)
    if (path.lastIndexOf(MODULES) > 0) continue
    for (const [name, file] of Object.entries(locked[path]?.bin ?? {})) link(folder, name, join(path, file))
  }
  placePacked(folder)
}

/**
 * Installs modelrest and packages that this repository does not have. npm installs them once, into a folder beside what
 * `npm ci` installs and removes.
 *
 * @param specifiers `name@version`
 */
export const installOthers = async (folder: string, specifiers: readonly string[]): Promise<void> => {
  const own = neededBy(readLock()[''] ?? {}).map(pinned)
  const kept = await keptFolder([...specifiers, ...own])
  placeFolder(join(kept, MODULES), join(folder, MODULES))
  // Bundlers take it for the root of the project.
  copyFileSync(join(kept, LOCK), join(folder, LOCK))
  placePacked(folder)
}

/** A folder in which npm has installed packages once. @throws if the test file has not asked for the registry */
export const keptFolder = async (specifiers: readonly string[]): Promise<string> => {
  assertAsked('registry')
  const name = createHash('sha256').update(specifiers.join()).digest('hex').slice(0, 16)
  const kept = resolve(MODULES, '.cache/modelrest-projects', name)
  if (existsSync(kept)) return kept
  const making = `${kept}.${process.pid}`
  mkdirSync(making, { recursive: true })
  writeFileSync(join(making, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
  await succeed(`npm install ${specifiers.join(' ')}`, making)
  if (existsSync(kept)) return making
  renameSync(making, kept)
  return kept
}

const readLock = (): Readonly<Record<string, Locked>> => JSON.parse(readFileSync(LOCK, 'utf8')).packages

const placePacked = (folder: string): void => {
  const modelrest = join(MODULES, 'modelrest')
  if (existsSync(join(folder, modelrest))) return
  placeFolder(inject('unpacked'), join(folder, modelrest))
  link(folder, 'modelrest', join(modelrest, 'dist/cli/main.js'))
  link(folder, 'modelrest-prisma', join(modelrest, 'dist/prisma-generator/main.js'))
}

/** What an example or a new project needs beside modelrest. */
export const packagesOf = (manifest = ''): readonly string[] => {
  const { dependencies, devDependencies } = JSON.parse(manifest) as Record<string, object>
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== 'modelrest')
}

const link = (folder: string, name: string, file: string): void => {
  const at = join(folder, MODULES, '.bin', name)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(relative(dirname(at), resolve(folder, file)), at)
}
