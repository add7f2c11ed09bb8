import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { storageKey } from '../../../src/upload/keys.ts'
import { naming } from '../../naming.ts'
import { type Folder, folderWithPackage, packedCommand, program } from '../folders.ts'
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
// As connection pools do, it keeps the process running.
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
  shell(`${program('node')} ${packedCommand(folder.path)} ${line}`, folder.path)

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
    const [small, large] = [orphan(5), orphan(70)]
    const { code, out } = await modelrest('files clean --api-module ./api.ts')
    const [sum, ...lines] = out.trim().split('\n').toReversed()
    expect(lines).toHaveLength(2)
    for (const [key, size] of [
      [small, 5],
      [large, 70],
    ] as const)
      expect(lines).toContainEqual(expect.stringMatching(naming(key, size)))
    expect([code, sum]).toEqual([0, expect.stringMatching(naming(2, 75))])
    expect(left()).toEqual([])
  })

  test('deletes nothing in a dry run, and nothing that is younger than it is told', async () => {
    const key = orphan(5)
    const dry = await modelrest('files clean --api-module api.ts --dry-run')
    expect([dry.code, ...dry.out.split('\n')]).toEqual([
      ...[0, expect.stringMatching(naming(key, 5)), expect.stringMatching(naming(1, 5)), ''],
    ])
    const json = await modelrest('files clean --dry-run --json')
    expect(json).toMatchObject({ code: 0, out: `${JSON.stringify([{ key, size: 5 }])}\n` })
    const young = await modelrest('files clean --api-module api.ts --older-than 86400')
    expect(young).toMatchObject({ code: 0, out: expect.stringMatching(/^[^\n\d]+\n$/) })
    expect(left()).toHaveLength(1)
  })

  test('finds a generator of another name', async () => {
    orphan(5)
    const { code } = await modelrest('files clean --api-module named.ts --api-var shop')
    expect([code, left()]).toEqual([0, []])
  })

  test.each([
    ['files clean --api-module', ['--api-module <path>']],
    ['files clean --api-module gone.ts', ['--api-module', 'gone.ts']],
    ['files clean --api-modul api.ts', ['--api-modul', '--api-module']],
    ['files clean api.ts', ['clean', 0, 1]],
    ['files clean --older-than soon', ['--older-than 3600', 0]],
    ['files clean --older-than=-5', ['--older-than 3600', 0]],
    ['files cleen', ['cleen', 'clean']],
  ])('modelrest %s: wrong use', async (line, names) => {
    const { code, output, out } = await modelrest(line)
    const [wrong, more] = output.split('\n\n')
    expect(wrong).toMatch(naming(...names))
    expect(more).toMatch(naming('modelrest --help'))
    expect([code, out]).toEqual([2, ''])
  })

  test('fails where the table is missing, and deletes nothing', async () => {
    orphan(5)
    writeFileSync(join(folder.path, 'api.ts'), api.replace('create table', '-- create table'))
    const { code, output } = await modelrest('files clean --api-module api.ts')
    expect([code, output]).toEqual([1, expect.stringMatching(naming('Document'))])
    expect(left()).toHaveLength(1)
  })
})
