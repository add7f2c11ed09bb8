import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../examples/shop/db.ts'
import { tablesOf } from '../../examples/shop/tables.ts'
import { isPlainObject } from '../../src/model/objects.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'

/** All rows of the shop, in an order that does not depend on the database. */
const rowsOf = async ({ db }: OpenDatabase): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { products, categories, productCategories, customers, orders, orderItems } = tablesOf(db)
  const tables = { products, categories, productCategories, customers, orders, orderItems }
  const rows = Object.entries(tables).map(async ([name, table]) => {
    const all: readonly object[] = await db.select().from(table)
    return [name, all.map((row) => JSON.stringify(row, membersInOrder)).sort()] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** MySQL keeps the members of an object in an order of its own. */
const membersInOrder = (_name: string, value: unknown): unknown =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).toSorted()) : value

let onSqlite: Readonly<Record<string, readonly string[]>>

beforeAll(async () => {
  const opened = await openDatabase(':memory:', 100, [])
  onSqlite = await rowsOf(opened)
  await opened.close()
})

/** Several first starts at the same time. */
const startAtOnce = async (url: string): Promise<void> => {
  const opened = await Promise.all([1, 2, 3].map(() => openDatabase(url, 100, [])))
  try {
    for (const one of opened) expect(await rowsOf(one)).toEqual(onSqlite)
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}

onPostgres('first starts of the shop on PostgreSQL', () => {
  it('fill PostgreSQL once, with the rows that SQLite has', async () => {
    const { url, drop } = await createDatabase('first')
    afterAll(drop)
    await startAtOnce(url)
  })
})

onEachMysql('first starts of the shop', (kind) => {
  it('fill it once, with the rows that SQLite has', async () => {
    const { url, drop } = await createMysqlDatabase('first', { kind })
    afterAll(drop)
    await startAtOnce(url)
  })
})

it('has many rows', () => {
  expect(Object.values(onSqlite).map((rows) => rows.length)).toEqual([
    100,
    40,
    100,
    600,
    1500,
    expect.any(Number),
  ])
})
