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
import { basename, dirname, join } from 'node:path'
import { CliError, describeError, filesBelow, UsageError } from '../terminal/index.ts'
import { type DatabaseName, databaseNameOf, databases } from './databases.ts'
import type { OwnPackage } from './own-package.ts'

/** Path below the project's folder, with forward slashes -> text. */
export type ProjectFiles = ReadonlyMap<string, string>

const templates = join(import.meta.dirname, '../templates')

type Words = Readonly<Record<string, string>>

/** A new project to write. */
export interface Manifest {
  readonly name: string
  readonly title: string
  /** The version range or the `file:` path of modelrest. */
  readonly modelrest: string
  readonly tested: OwnPackage['tested']
  readonly database: DatabaseName
  /** Words of templates -> those of the project's model. */
  readonly words: Words
}

export const projectFiles = (manifest: Manifest): ProjectFiles => {
  const files = new Map([['package.json', manifestOf(manifest)]])
  for (const folder of [join(templates, 'common'), join(templates, manifest.database)])
    for (const path of filesBelow(folder).toSorted())
      if (!path.startsWith(`${parts}/`)) files.set(nameIn(path, manifest), fill(join(folder, path), manifest))
  // Each project has its own secret, so that login works after one change. .gitignore keeps the file on this machine.
  const example = files.get('.env.example') ?? ''
  const secret = randomBytes(64).toString('base64url')
  files.set(
    '.env',
    example.replace(/^SECRET_KEY=$/m, () => `SECRET_KEY=${secret}`),
  )
  return files
}

/** A folder in each database's template. Its files replace `__DATABASE__` in the common files with the same names. */
const parts = 'parts'

/** npm does not pack .gitignore files, so templates have an underscore instead of the dot. */
const nameIn = (path: string, { words }: Manifest): string => withWords(path, words).replace(/^_/, '.')

const withWords = (text: string, words: Words): string =>
  text.replaceAll(new RegExp(Object.keys(words).join('|'), 'g'), (word) => words[word] ?? word)

/** Placeholder in templates -> its text. In code, the title is a literal with its quotes. */
const placeholders: Readonly<Record<string, (manifest: Manifest) => string>> = {
  "'__TITLE__'": ({ title }) => toLiteral(title),
  __TITLE__: ({ title }) => toMarkdown(title),
  __NAME__: ({ name }) => name,
  __DATABASE_NAME__: ({ name }) => databaseNameOf(name),
  '__START_DATABASE__\n': ({ name, database }) => {
    const start = databases[database].start?.(name)
    return start === undefined ? '' : `${start}\n`
  },
}

const fill = (file: string, manifest: Manifest): string => {
  const { database, words } = manifest
  const part = join(templates, database, parts, basename(file))
  const common = readFileSync(file, 'utf8').replace('__DATABASE__\n', () => readFileSync(part, 'utf8'))
  const edits = Object.entries(databases[database].edits ?? {})
  const edited = edits.reduce((text, [from, to]) => text.replace(from, to), common)
  // In one pass: a title may contain a placeholder, and the name of a project may contain the name of the model.
  return edited.replaceAll(
    new RegExp(Object.keys({ ...placeholders, ...words }).join('|'), 'g'),
    (found) => placeholders[found]?.(manifest) ?? words[found] ?? found,
  )
}

const dependencies = ['drizzle-orm', 'fastify', 'modelrest', 'zod']

/** `node` is the Node that the scripts run on, regardless of the version on the machine. */
const devDependencies = ['@types/node', 'drizzle-kit', 'node', 'pino-pretty', 'typescript']

/** The packages that a project may depend on. None of them can be its name. */
export const projectPackages: readonly string[] = [
  ...[dependencies, devDependencies].flat(),
  ...Object.values(databases).flatMap((each) => [...each.dependencies, ...each.devDependencies]),
]

const manifestOf = ({ name, title, modelrest, tested, database }: Manifest): string => {
  const own = databases[database]
  const ranges = (names: readonly string[]) =>
    Object.fromEntries(
      names.toSorted().map((each) => [each, each === 'modelrest' ? modelrest : tested[each]]),
    )
  const manifest = {
    name,
    version: '0.1.0',
    description: title,
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: {
      // Watches folders: editors that replace a file when they save it would escape a plain --watch.
      dev: 'node --watch-path=src --watch-path=migrations src/server.ts | pino-pretty --ignore pid,hostname --singleLine',
      // With `exec`, Node receives the SIGTERM that is sent to npm. Windows has no `exec`.
      start: 'exec node src/server.ts || node src/server.ts',
      test: 'node --test "test/*.test.ts"',
      'migrate:generate': 'drizzle-kit generate',
      typecheck: 'tsc',
      routes: 'modelrest routes',
      check: 'modelrest check',
      client: 'modelrest generate-client typescript-types --output client',
    },
    dependencies: ranges([...dependencies, ...own.dependencies]),
    devDependencies: ranges([...devDependencies, ...own.devDependencies]),
    // npm warns about unknown install scripts. Only the script of `node` is needed, because it downloads Node.
    allowScripts: {
      ...(own.dependencies.includes('better-sqlite3') && { 'better-sqlite3': false }),
      esbuild: false,
      node: true,
    },
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
  throw new UsageError('--title is empty. Omit it to derive the title from the name.')
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

/** Files that the folder of a new project may already contain. No template has these names. */
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
    for (const name of readdirSync(temporary)) {
      renameSync(join(temporary, name), join(path, name))
      made.push(join(path, name))
    }
    rmdirSync(temporary)
  } catch (error) {
    for (const one of made) if (one !== undefined) rmSync(one, { recursive: true, force: true })
    if (error instanceof CliError) throw error
    throw new CliError(`Cannot write ${path}: ${describeError(error)}. Nothing was left behind.`)
  }
}

const assertFree = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw new CliError(`${path} exists and is not a folder.`)
  const [first, ...more] = readdirSync(path).filter((name) => !harmless.has(name))
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  throw new CliError(
    `${path} is not empty: it contains ${first}${others}. Nothing was written; choose another name, or empty the folder.`,
  )
}
