import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string

beforeAll(() => {
  mkdirSync('test/.tmp', { recursive: true })
  folder = mkdtempSync('test/.tmp/drizzle-kit-')
})
afterAll(() => rmSync(folder, { recursive: true }))

const push = (columns: string): string => {
  writeFileSync(
    join(folder, 'models.ts'),
    `import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
     import { decimal } from '${resolve('src/entry/drizzle-sqlite.ts')}'
     export const things = sqliteTable('things', { id: integer().primaryKey(), ${columns} })`,
  )
  const kit = resolve('node_modules/drizzle-kit/bin.cjs')
  const options = ['push', '--dialect=sqlite', '--schema=./models.ts', '--url=things.db']
  return execFileSync(process.execPath, [kit, ...options], { cwd: folder, encoding: 'utf8' })
}

const rows = (sql: string): unknown[] => {
  const database = new Database(join(folder, 'things.db'))
  try {
    const statement = database.prepare(sql)
    return statement.reader ? statement.all() : [statement.run().changes]
  } finally {
    database.close()
  }
}

it('drizzle-kit push makes the column with its default, and a second push changes nothing', () => {
  const columns = `price: decimal({ precision: 10, scale: 2 }).notNull().default('-9.9')`
  expect(push(columns)).toContain('Changes applied')
  rows('insert into things default values')
  expect(push(columns)).toContain('No changes detected')

  const more = `${columns}, big: decimal({ precision: 20, scale: 4 }).notNull().default('-0.05')`
  expect(push(more)).toContain('Changes applied')
  expect(push(more)).toContain('No changes detected')
  expect(rows('select id, price, typeof(price) as type, big from things')).toEqual([
    { id: 1, price: -990, type: 'integer', big: '099999999999999999500' },
  ])
}, 60_000)
