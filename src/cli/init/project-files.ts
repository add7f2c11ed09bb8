import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Failure, UsageError } from '../command.ts'
import type { OwnPackage } from './own-package.ts'

/** Path below the project's folder, with forward slashes -> text. */
export type ProjectFiles = ReadonlyMap<string, string>

const templates = join(import.meta.dirname, '../templates')

/** Every file of a new project. */
export const projectFiles = (manifest: Manifest): ProjectFiles => {
  const files = new Map([['package.json', manifestOf(manifest)]])
  for (const path of templatePaths()) files.set(targetOf(path), fill(path, manifest))
  // A secret of its own, so that login works with one change. It stays on this machine: .gitignore names the file.
  const example = files.get('.env.example') ?? ''
  const secret = randomBytes(48).toString('base64url')
  files.set(
    '.env',
    example.replace(/^SECRET_KEY=$/m, () => `SECRET_KEY=${secret}`),
  )
  return files
}

const templatePaths = (): readonly string[] =>
  readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(templates, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()

/** npm packs no .gitignore, so templates have an underscore for the dot. */
const targetOf = (path: string): string => path.replace(/^_/, '.')

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

/** What the project runs with. */
const dependencies = ['better-sqlite3', 'drizzle-orm', 'fastify', 'zod'] as const

/** What it is developed with. `node` is the Node of its scripts, whatever is installed beside. */
const devDependencies = [
  ...['@types/better-sqlite3', '@types/node', 'drizzle-kit', 'node', 'typescript'],
] as const

/** The packages that a project depends on. None of them can be its name. */
export const projectPackages: readonly string[] = ['modelrest', ...dependencies, ...devDependencies]

/** What package.json says. */
interface Manifest {
  readonly name: string
  readonly title: string
  /** Where modelrest comes from: a range of versions, or `file:`. */
  readonly modelrest: string
  /** Ranges of other packages. */
  readonly tested: OwnPackage['tested']
}

/** The text of package.json. */
const manifestOf = ({ name, title, modelrest, tested }: Manifest): string => {
  const ranges = (names: readonly string[]) => names.map((each) => [each, rangeOf(each, tested)] as const)
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
    dependencies: sorted([...ranges(dependencies), ['modelrest', modelrest]]),
    devDependencies: sorted(ranges(devDependencies)),
    // npm asks before it runs what packages bring to run at their installation. Only `node` fetches something so.
    allowScripts: { 'better-sqlite3': false, esbuild: false, node: true },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

const rangeOf = (name: string, tested: Manifest['tested']): string => {
  const range = tested[name]
  if (range === undefined) throw new Failure(`The package.json of modelrest names no version of ${name}.`)
  return range
}

const sorted = (entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** `my-shop` -> `My shop` */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** @throws UsageError for a title in which nothing can be read */
export const assertTitle = (title: string): string => {
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(title)) return title
  throw new UsageError('--title is empty. Leave it out, and the title is made of the name.')
}

/** The text as a TypeScript literal. What an editor would not show is escaped. */
export const toLiteral = (text: string): string => {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, unicodeEscape)
  return `'${escaped}'`
}

/** Of each half where a character has two. */
const unicodeEscape = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The text as a line of Markdown that shows it word for word. */
export const toMarkdown = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>&#~$|]/g, '\\$&')
