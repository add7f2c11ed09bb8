import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { storageKey } from '../../../src/upload/keys.ts'
import { type Folder, folderWithPackage, program } from '../folders.ts'
import { type Ended, shell } from '../shell.ts'

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
    'named.ts': `export { api as shop, app as api } from './api.ts'\n`,
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
    const { code, out } = await modelrest('files clean --api-module ./api.ts')
    const [sum, ...lines] = out.trim().split('\n').toReversed()
    expect(lines.toSorted().map((line) => line.split(' ')[0])).toEqual(keys)
    expect(out).toContain(' (70 bytes)\n')
    expect([code, sum]).toEqual([0, '2 files that no record holds, 75 bytes: deleted.'])
    expect(left()).toEqual([])
  })

  test('deletes nothing in a dry run, and nothing that is younger than it is told', async () => {
    const key = orphan(5)
    const dry = await modelrest('files clean --api-module api.ts --dry-run')
    expect(dry).toMatchObject({
      code: 0,
      out: `${key} (5 bytes)\n1 file that no record holds, 5 bytes: nothing is deleted in a dry run.\n`,
    })
    const json = await modelrest('files clean --dry-run --json')
    expect(json).toMatchObject({ code: 0, out: `${JSON.stringify([{ key, size: 5 }])}\n` })
    const young = await modelrest('files clean --api-module api.ts --older-than 86400')
    expect(young).toMatchObject({ code: 0, out: 'Every file is held by a record.\n' })
    expect(left()).toHaveLength(1)
  })

  test('finds a generator of another name', async () => {
    orphan(5)
    const { code } = await modelrest('files clean --api-module named.ts --api-var shop')
    expect([code, left()]).toEqual([0, []])
  })

  test.each([
    ['files clean --api-module', "Option '--api-module <path>' argument missing."],
    ['files clean --api-module gone.ts', '--api-module: there is no file gone.ts in '],
    ['files clean --api-modul api.ts', "Unknown option '--api-modul'. Did you mean --api-module?"],
    ['files clean api.ts', "Too many arguments for 'clean'. Expected 0 arguments but got 1"],
    ['files clean --older-than soon', '--older-than takes whole seconds, 0 or more, as --older-than 3600.'],
    ['files clean --older-than=-5', '--older-than takes whole seconds'],
    ['files cleen', "Unknown command 'cleen'. Did you mean clean?"],
  ])('modelrest %s: wrong use', async (line, message) => {
    const { code, output } = await modelrest(line)
    expect(output).toContain(message)
    expect(output).toMatch(/\n\nmodelrest --help says more\.\n$/)
    expect(code).toBe(2)
  })

  test('fails where the table is missing, and deletes nothing', async () => {
    orphan(5)
    writeFileSync(join(folder.path, 'api.ts'), api.replace('create table', '-- create table'))
    const { code, output } = await modelrest('files clean --api-module api.ts')
    expect([code, output]).toEqual([1, expect.stringContaining('the database has no table of Document')])
    expect(left()).toHaveLength(1)
  })
})
