import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describeError, Failure, filesBelow, UsageError } from '../command.ts'
import type { OwnPackage } from './own-package.ts'

/** Path below the project's folder, with forward slashes -> text. */
export type ProjectFiles = ReadonlyMap<string, string>

const templates = join(import.meta.dirname, '../templates')

export const projectFiles = (manifest: Manifest): ProjectFiles => {
  const files = new Map([['package.json', manifestOf(manifest)]])
  // npm packs no .gitignore, so templates have an underscore for the dot.
  for (const path of filesBelow(templates).toSorted())
    files.set(path.replace(/^_/, '.'), fill(path, manifest))
  // A secret of its own, so that login works with one change. It stays on this machine: .gitignore names the file.
  const example = files.get('.env.example') ?? ''
  const secret = randomBytes(48).toString('base64url')
  files.set(
    '.env',
    example.replace(/^SECRET_KEY=$/m, () => `SECRET_KEY=${secret}`),
  )
  return files
}

/** What stands for what in templates. In code the title is a literal, quotes and all. */
const placeholders: Readonly<Record<string, (manifest: Manifest) => string>> = {
  "'__TITLE__'": ({ title }) => toLiteral(title),
  __TITLE__: ({ title }) => toMarkdown(title),
  __NAME__: ({ name }) => name,
}

/** At once: a title may hold the name of a placeholder. */
const fill = (path: string, manifest: Manifest): string =>
  readFileSync(join(templates, path), 'utf8').replaceAll(
    new RegExp(Object.keys(placeholders).join('|'), 'g'),
    (found) => placeholders[found]?.(manifest) ?? found,
  )

const dependencies = ['better-sqlite3', 'drizzle-orm', 'fastify', 'modelrest', 'zod']

/** `node` is the Node of its scripts, whatever is installed beside. */
const devDependencies = ['@types/better-sqlite3', '@types/node', 'drizzle-kit', 'node', 'typescript']

/** The packages that a project depends on. None of them can be its name. */
export const projectPackages: readonly string[] = [...dependencies, ...devDependencies]

interface Manifest {
  readonly name: string
  readonly title: string
  /** The range of versions or the `file:` path of modelrest. */
  readonly modelrest: string
  readonly tested: OwnPackage['tested']
}

const manifestOf = ({ name, title, modelrest, tested }: Manifest): string => {
  const ranges = (names: readonly string[]) =>
    Object.fromEntries(names.map((each) => [each, each === 'modelrest' ? modelrest : tested[each]]))
  const manifest = {
    name,
    version: '0.1.0',
    description: title,
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: {
      dev: 'node --watch server.ts',
      start: 'node server.ts',
      'migrate:generate': 'drizzle-kit generate',
      typecheck: 'tsc',
      routes: 'modelrest routes',
      check: 'modelrest check',
      client: 'modelrest generate-client typescript-types --output client',
    },
    dependencies: ranges(dependencies),
    devDependencies: ranges(devDependencies),
    // npm asks before it runs what packages bring to run at their installation. Only `node` fetches something so.
    allowScripts: { 'better-sqlite3': false, esbuild: false, node: true },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** `my-shop` -> `My shop` */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const assertTitle = (title: string): string => {
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(title)) return title
  throw new UsageError('--title is empty. Leave it out, and the title is made of the name.')
}

/** The text as a TypeScript literal, in the quotes of the project's style. */
export const toLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The text as a line of Markdown that shows it word for word. */
export const toMarkdown = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>&#~$|]/g, '\\$&')

/** What a new repository has, and no file of ours is called. */
const harmless = new Set(['.git', '.DS_Store'])

/** Writes all of a project, or nothing: the files appear when they are complete. */
export const writeProject = (path: string, files: ProjectFiles): void => {
  const made: (string | undefined)[] = []
  try {
    assertFree(path)
    made.push(mkdirSync(path, { recursive: true }))
    const temporary = mkdtempSync(join(path, '.modelrest-'))
    made.push(temporary)
    for (const [name, text] of files) {
      const file = join(temporary, name)
      mkdirSync(dirname(file), { recursive: true })
      // Only its owner may read the secret.
      writeFileSync(file, text, { flag: 'wx', mode: name === '.env' ? 0o600 : 0o666 })
    }
    for (const name of readdirSync(temporary)) renameSync(join(temporary, name), join(path, name))
    rmdirSync(temporary)
  } catch (error) {
    for (const folder of made) if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    if (error instanceof Failure) throw error
    throw new Failure(`${path} cannot be written: ${describeError(error)}. Nothing is left of it.`)
  }
}

const assertFree = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw new Failure(`${path} is there already, and is not a folder.`)
  const [first, ...more] = readdirSync(path).filter((name) => !harmless.has(name))
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  throw new Failure(
    `${path} is not empty: it holds ${first}${others}. Choose another name, or empty it. Nothing was written.`,
  )
}
