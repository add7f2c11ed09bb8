import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { storageKey } from '../../src/upload/storage/storage-key.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { type Ended, shell } from './shell.ts'

const api = `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { drizzleModels } from 'modelrest/drizzle'
import { file } from 'modelrest/drizzle/sqlite'

const documents = sqliteTable('documents', { id: integer().primaryKey(), content: file() })
const client = new Database('shop.db')
client.exec('create table if not exists documents (id integer primary key, content text)')
export const app: object = fetchApp()
export const api: ModelRest = new ModelRest(app as never, { models: drizzleModels(drizzle({ client }), { documents }) })
// As a pool of connections does, it keeps the process.
setInterval(() => undefined, 1000)
`

const folders: Folder[] = []
let folder: Folder

beforeEach(() => {
  folder = folderWithPackage(inject('unpacked'), {
    'api.ts': api,
    'broken.ts': `throw new Error('No database here.')\nexport {}\n`,
    'mistaken.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'\nexport const api = new ModelRest(fetchApp(), {} as never)\n`,
    'waiting.ts': `await new Promise(() => undefined)\nexport const api = 1\n`,
    'named.ts': `export { api as shop, app as api } from './api.ts'\n`,
    'other.ts': `export { api as shop } from './api.ts'\n`,
  })
  folders.push(folder)
})
afterAll(() => {
  for (const each of folders) each.remove()
})

const modelrest = (line: string): Promise<Ended> =>
  shell(`${program('node')} node_modules/modelrest/dist/cli/main.js ${line}`, folder.path)

/** A file in the storage, two hours old. */
const orphan = (size: number): string => {
  const key = storageKey({ model: 'Document', field: 'content', type: 'application/pdf' })
  const path = join(folder.path, 'media', key)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x'.repeat(size))
  const old = new Date(Date.now() - 7_200_000)
  utimesSync(path, old, old)
  return key
}

const left = (): readonly string[] =>
  readdirSync(join(folder.path, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe('files clean', () => {
  test('deletes what no record holds, tells it, and ends', async () => {
    const keys = [orphan(5), orphan(70)].toSorted()
    const { code, output } = await modelrest('files clean --api-module ./api.ts')
    const [sum, ...lines] = output.trim().split('\n').toReversed()
    expect(lines.toSorted().map((line) => line.split(' ')[0])).toEqual(keys)
    expect(output).toContain(' (70 bytes)\n')
    expect([code, sum]).toEqual([0, '2 files that no record holds, 75 bytes: deleted.'])
    expect(left()).toEqual([])
  })

  test('deletes nothing in a dry run, and nothing that is younger than it is told', async () => {
    const key = orphan(5)
    const dry = await modelrest('files clean --api-module api.ts --dry-run')
    expect(dry).toEqual({
      code: 0,
      output: `${key} (5 bytes)\n1 file that no record holds, 5 bytes: nothing is deleted in a dry run.\n`,
    })
    const young = await modelrest('files clean --api-module api.ts --older-than 86400')
    expect(young).toEqual({ code: 0, output: 'Every file is held by a record.\n' })
    expect(left()).toHaveLength(1)
  })

  test('finds a generator of another name', async () => {
    orphan(5)
    const { code } = await modelrest('files clean --api-module named.ts --api-var shop')
    expect([code, left()]).toEqual([0, []])
  })

  test.each([
    ['files clean', '--api-module is missing'],
    ['files clean --api-module', "Option '--api-module <value>' argument missing"],
    ['files clean --api-module gone.ts', '--api-module: there is no file gone.ts in '],
    [
      'files clean --api-modul api.ts',
      'There is no option --api-modul. Did you mean --api-module? Allowed: --api-module, --api-var, --dry-run, --help, --older-than.',
    ],
    ['files clean api.ts', 'api.ts is no option. Options: --api-module,'],
    [
      'files clean --api-module api.ts --older-than soon',
      '--older-than takes whole seconds, 0 or more, as --older-than 3600.',
    ],
    ['files clean --api-module api.ts --older-than=-5', '--older-than takes whole seconds'],
    [
      'files clean --api-module named.ts',
      'named.ts: api is no ModelRest among its exports. Write --api-var shop.',
    ],
    [
      'files clean --api-module other.ts',
      'other.ts: there is no api among its exports. Write --api-var shop.',
    ],
    ['fils clean', 'There is no command fils clean. Did you mean files clean? Allowed: files clean.'],
    ['files', 'There is no command files. '],
    ['', 'Name a command.'],
    ['--hlp', 'There is no option --hlp. Did you mean --help? Allowed: --help.'],
  ])('modelrest %s: wrong use', async (line, message) => {
    const { code, output } = await modelrest(line)
    expect(output).toContain(message)
    expect(output).toMatch(/\n\nmodelrest --help says more\.\n$/)
    expect(code).toBe(2)
  })

  test.each([
    [
      'broken.ts',
      /^broken\.ts cannot be loaded: No database here\.\nError: No database here\.\n +at .*broken\.ts:1/,
    ],
    ['mistaken.ts', /^mistaken\.ts cannot be loaded: [^\n]*models[^\n]*\n$/],
    ['waiting.ts', /^The command ended before it was done/],
  ])('%s: failed', async (module, message) => {
    const { code, output } = await modelrest(`files clean --api-module ${module}`)
    expect(output).toMatch(message)
    expect(code).toBe(1)
  })

  test('fails where the table is missing, and deletes nothing', async () => {
    orphan(5)
    writeFileSync(join(folder.path, 'api.ts'), api.replace('create table', '-- create table'))
    const { code, output } = await modelrest('files clean --api-module api.ts')
    expect([code, output]).toEqual([1, expect.stringContaining('the database has no table of Document')])
    expect(left()).toHaveLength(1)
  })
})

test.each(['--help', '-h'])('%s tells the commands', async (option) => {
  const { code, output } = await modelrest(option)
  expect(output).toMatch(/^Usage: modelrest <command> \[options\]\n\n {2}files clean {3}Delete /)
  expect(code).toBe(0)
})

test('files clean --help tells its options', async () => {
  const { code, output } = await modelrest('files clean --help')
  expect(output).toMatch(/^Usage: modelrest files clean --api-module <path> /)
  for (const option of ['--api-module', '--api-var', '--older-than', '--dry-run'])
    expect(output).toContain(`\n  ${option} `)
  expect(code).toBe(0)
})

test('is a program of the package', () => {
  const manifest = JSON.parse(readFileSync(join(inject('unpacked'), 'package.json'), 'utf8')) as {
    bin: unknown
  }
  expect(manifest.bin).toEqual({ modelrest: 'dist/cli/main.js' })
  expect(readFileSync(join(inject('unpacked'), 'dist/cli/main.js'), 'utf8')).toMatch(
    /^#!\/usr\/bin\/env node\n/,
  )
})
