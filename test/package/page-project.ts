import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import Database from 'better-sqlite3'
import { type Block, fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Files, type Folder, folderWithPackage, program } from './folders.ts'
import { nativeImport, type Started, start } from './in-process.ts'
import { cleanEnvironment, succeed } from './shell.ts'

/** A project with the files of a page, and the tables that its command creates. */
export interface PageProject {
  readonly folder: Folder
  readonly blocks: readonly Block[]
  readonly files: Files
  /** Runs lines of the page in one shell. */
  run(lines: string): Promise<string>
  /** Runs a file of the project in this process, once. */
  start(file: string, env?: Readonly<Record<string, string>>): Promise<Started>
  /** Sends each request whose response the page shows. */
  answers(origin: string): Promise<readonly PageAnswer[]>
}

/** What a page shows below a request, and what the request prints. */
export interface PageAnswer {
  /** The line of the page. */
  readonly line: number
  readonly shown: string
  readonly printed: string
}

/** The packages that a page tells its readers to install are those of the quick start. */
const installs = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('npm ')))

const installsOfQuickStart = installs(fencedBlocks(readFileSync('README.md', 'utf8'), 'Quick start'))

const END_OF_BLOCK = '- end of block -'

const secret = { SECRET_KEY: 'a secret of tests, with more than 32 bytes' }

/**
 * Does what a reader does who comes straight to a page. @throws if a command is missing or fails
 * @param page one, or the first of several whose files are one project
 */
export const pageProject = async (
  page: string | readonly [string, ...string[]],
  unpacked: string,
  more: Files = {},
): Promise<PageProject> => {
  const blocks = [page].flat().flatMap((path) => fencedBlocks(readFileSync(path, 'utf8')))
  const missing = installsOfQuickStart.filter((line) => !installs(blocks).includes(line))
  if (missing.length > 0) throw new Error(`${page} does not say: ${missing.join(', ')}`)
  const files = filesOf(blocks)
  const folder = folderWithPackage(unpacked, { ...files, ...more })
  const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
  for (const needed of ['npx drizzle-kit push ', 'npx node '])
    if (!lines.some((line) => line.startsWith(needed))) throw new Error(`${page} has no line ${needed}`)
  await createTables(folder.path, lines.find((line) => line.startsWith('npx drizzle-kit push ')) ?? '')
  const path = { PATH: `${program('')}:${process.env['PATH']}` }
  const run = (text: string): Promise<string> =>
    succeed(text.replaceAll('npx ', ''), folder.path, { ...cleanEnvironment(), ...path, ...secret })
  const keep = lines.find((line) => line.startsWith('echo "SECRET_KEY='))
  if (keep !== undefined) await run(keep)
  const own: Files =
    keep === undefined ? secret : { ...(parseEnv(readFileSync(join(folder.path, '.env'), 'utf8')) as Files) }
  return {
    ...{ folder, blocks, files, run },
    start: (file, more) => start(folder.path, file, { ...own, ...more }),
    answers: async (origin) => {
      const asked = blocks.flatMap(({ language, text }, index) => {
        const shown = blocks[index + 1]
        if (language !== 'sh' || shown?.language !== 'json' || !/^curl /m.test(text)) return []
        return [{ shown, text: text.replaceAll('localhost:3000', new URL(origin).host) }]
      })
      // One shell, since later blocks use variables of earlier ones.
      const printed = await run(asked.map(({ text }) => text).join(`\necho '${END_OF_BLOCK}'\n`))
      const texts = printed.split(`${END_OF_BLOCK}\n`)
      return asked.map(({ shown }, index) => ({
        ...{ line: shown.line, shown: shown.text, printed: (texts[index] ?? '').trimEnd() },
      }))
    },
  }
}

/** Blocks by the file that they name. */
export const filesOf = (blocks: readonly Block[]): Files =>
  Object.fromEntries(blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, `${text}\n`]])))

/** Creates the tables that the command of a page would create. README.md has the same command, which a test runs. */
const createTables = async (folder: string, command: string): Promise<void> => {
  const [, schema = '', url = ''] =
    /^npx drizzle-kit push --dialect=sqlite --schema=\.\/([\w./-]+) --url=([\w./-]+)$/.exec(command) ?? []
  const { exports: tables } = await start(folder, schema)
  const { generateSQLiteDrizzleJson, generateSQLiteMigration } = (await nativeImport(
    'drizzle-kit/api',
  )) as Kit
  const statements = await generateSQLiteMigration(
    await generateSQLiteDrizzleJson({}),
    await generateSQLiteDrizzleJson(tables),
  )
  const database = new Database(join(folder, url))
  for (const statement of statements) database.exec(statement)
  database.close()
}

type Kit = Pick<typeof import('drizzle-kit/api'), 'generateSQLiteDrizzleJson' | 'generateSQLiteMigration'>
