import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as inMysql from '../../../src/entry/drizzle-mysql.ts'
import * as inPg from '../../../src/entry/drizzle-pg.ts'
import * as inSqlite from '../../../src/entry/drizzle-sqlite.ts'
import { describeTables } from '../../../src/source/drizzle/describe.ts'
import { onFetch } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'

const documents = sqlite.sqliteTable('documents', {
  id: sqlite.integer().primaryKey(),
  title: sqlite.text().notNull(),
  content: inSqlite.file(),
  preview: inSqlite.image('preview_key'),
})

const tables = {
  sqlite: documents,
  pg: pg.pgTable('documents', {
    id: pg.serial().primaryKey(),
    title: pg.text().notNull(),
    content: inPg.file(),
    preview: inPg.image('preview_key'),
  }),
  mysql: mysql.mysqlTable('documents', {
    id: mysql.serial().primaryKey(),
    title: mysql.text().notNull(),
    content: inMysql.file(),
    preview: inMysql.image('preview_key'),
  }),
}

describe.each(['sqlite', 'pg', 'mysql'] as const)('the columns of %s', (dialect) => {
  it('are files and images', () => {
    const fields = describeTables({ documents: tables[dialect] }).tables[0]?.model.fields
    const plain = { hasDefault: false, generated: false, access: 'read-write', optional: false }
    expect(fields?.slice(2)).toEqual([
      { name: 'content', kind: 'file', form: 'string', nullable: true, ...plain },
      { name: 'preview', kind: 'image', form: 'string', nullable: true, ...plain },
    ])
  })

  it('are text to the database', () => {
    const { content, preview } = tables[dialect]
    expect([content.getSQLType(), preview.getSQLType()]).toEqual(['text', 'text'])
    expect([content.name, preview.name]).toEqual(['content', 'preview_key'])
    expect([content.notNull, content.hasDefault, content.enumValues]).toEqual([false, false, undefined])
  })
})

it('may be required, unique, and shown by a view', () => {
  const sheets = sqlite.sqliteTable('sheets', {
    id: sqlite.integer().primaryKey(),
    scan: inSqlite.image().notNull().unique(),
  })
  const scans = sqlite
    .sqliteView('scans')
    .as((query) => query.select({ id: sheets.id, scan: sheets.scan }).from(sheets))
  const { tables: described } = describeTables({ sheets, scans })
  const fields = described.map(({ model }) => model.fields.find(({ name }) => name === 'scan'))
  expect(fields).toMatchObject([
    { kind: 'image', nullable: false },
    { kind: 'image', nullable: false },
  ])
  expect(described[0]?.model.uniques).toEqual([['scan']])
})

describe('before a file is sent', () => {
  const serve = async () => {
    const { client, models } = openSqlite(
      { documents },
      'create table documents (id integer primary key, title text not null, content text, preview_key text)',
    )
    const ask = senderTo(await onFetch({ models, controllers: [] }, { base: '' }))
    const send = async (method: string, path: string, given?: unknown) => {
      const { status, json } = await ask(method, path, { body: given })
      return { status, body: json }
    }
    return { client, send }
  }

  it('JSON sets it to null and to nothing else', async () => {
    const { client, send } = await serve()
    expect(await send('POST', '/documents/', { title: 'A', preview: null })).toMatchObject({
      status: 201,
      body: { content: null, preview: null },
    })
    for (const content of ['document/content/q4/q4zk7a.pdf', { key: 'x' }, 5]) {
      expect(await send('PATCH', '/documents/1', { content })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/content', code: 'invalid_format' }] },
      })
    }
    client.exec("update documents set content = 'document/content/q4/q4zk7a.pdf'")
    expect(await send('PATCH', '/documents/1', { title: 'B' })).toMatchObject({ status: 200 })
    expect(client.prepare('select title, content from documents').get()).toEqual({
      title: 'B',
      content: 'document/content/q4/q4zk7a.pdf',
    })
    expect(await send('PATCH', '/documents/1', { content: null })).toMatchObject({ status: 200 })
    expect(client.prepare('select content from documents').get()).toEqual({ content: null })
  })

  it('lists can be asked whether there is one, and for nothing else of it', async () => {
    const { send } = await serve()
    await send('POST', '/documents/', { title: 'A' })
    expect(await send('GET', '/documents/?content=null')).toMatchObject({ body: { count: 1 } })
    expect(await send('GET', '/documents/?content!=null')).toMatchObject({ body: { count: 0 } })
    for (const query of ['content=x', 'content==x', 'content>x', 'sort=content']) {
      expect(await send('GET', `/documents/?${query}`)).toMatchObject({ status: 400 })
    }
  })
})

describe('drizzle-kit', () => {
  let folder: string
  beforeAll(() => {
    mkdirSync('test/.tmp', { recursive: true })
    folder = mkdtempSync('test/.tmp/drizzle-kit-files-')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const run = (entry: string, table: string, key: string, ...options: string[]): string => {
    writeFileSync(
      join(folder, 'models.ts'),
      `import { ${key}, ${table} } from 'drizzle-orm/${entry}-core'
       import { file, image } from '${resolve(`src/entry/drizzle-${entry}.ts`)}'
       export const documents = ${table}('documents', {
         id: ${key}().primaryKey(), content: file(), preview: image('preview_key').notNull() })`,
    )
    const kit = resolve('node_modules/drizzle-kit/bin.cjs')
    const all = [kit, ...options, '--schema=./models.ts']
    return execFileSync(process.execPath, all, { cwd: folder, encoding: 'utf8' })
  }

  it.each([
    ['pg', 'pgTable', 'serial', 'postgresql', '"'],
    ['mysql', 'mysqlTable', 'serial', 'mysql', '`'],
    ['sqlite', 'sqliteTable', 'integer', 'sqlite', '`'],
  ])(
    'makes plain text columns on %s',
    (entry, table, key, dialect, quote) => {
      const statement = run(entry, table, key, 'export', `--dialect=${dialect}`, '--sql')
      expect(statement).toContain(`${quote}content${quote} text,`)
      expect(statement).toContain(`${quote}preview_key${quote} text NOT NULL`)
    },
    60_000,
  )

  it('finds no difference the second time', () => {
    const push = () =>
      run('sqlite', 'sqliteTable', 'integer', 'push', '--dialect=sqlite', '--url=documents.db')
    expect(push()).toContain('Changes applied')
    expect(push()).toContain('No changes detected')
  }, 60_000)
})
