import Database from 'better-sqlite3'
import { drizzle as sqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as pg } from 'drizzle-orm/pglite'
import { expect, it } from 'vitest'
import { startPglite } from '../stage/pglite.ts'
import { createPg, createSqlite, pgLibrary, sqliteLibrary } from './library.ts'

const book = {
  title: 'Solaris',
  isbn: '9780156027601',
  price: '9.90',
  pages: 204,
  copies: 2n ** 62n,
  publishedOn: '1961-06-01',
  opensAt: '09:30:00',
  printedAt: new Date('2026-01-31T23:59:59.123Z'),
  cover: Buffer.from([1, 2, 3]),
  meta: { a: [1, null] },
  tags: ['space', 'a,b'],
  loanPeriod: '14 days',
  signature: { b: true },
  authorId: 1,
}

const stored = { ...book, inStock: true, genre: 'novel', discount: '0.0500', titleLength: 7, rating: null }

it('the tables of the library are there in SQLite', () => {
  const database = new Database(':memory:')
  for (const statement of createSqlite) database.exec(statement)
  const db = sqlite(database)
  db.insert(sqliteLibrary.authors).values({ name: 'Lem' }).run()
  const row = db.insert(sqliteLibrary.books).values(book).returning().get()
  expect(row).toMatchObject(stored)
  expect(db.select().from(sqliteLibrary.cheapBooks).all()).toMatchObject([{ price: '9.90' }])
  db.insert(sqliteLibrary.reviews).values({ bookId: row.id, reviewer: 'Ann', stars: 5 }).run()
  expect(db.select().from(sqliteLibrary.categories).all()).toEqual([])
  expect(db.select().from(sqliteLibrary.shelvesTable).all()).toEqual([])
})

it('and in PostgreSQL', async () => {
  const database = await startPglite()
  for (const statement of createPg) await database.exec(statement)
  const db = pg(database)
  await db.insert(pgLibrary.authors).values({ name: 'Lem' })
  const [row] = await db
    .insert(pgLibrary.books)
    .values({ ...book, soldAt: new Date('2026-01-31T23:59:59.123Z') })
    .returning()
  expect({ ...row, cover: Buffer.from(row?.cover ?? []) }).toMatchObject(stored)
  expect(await db.select().from(pgLibrary.cheapBooks)).toMatchObject([{ price: '9.90' }])
  await db.insert(pgLibrary.reviews).values({ bookId: row?.id ?? '', reviewer: 'Ann', stars: 5 })
  expect(await db.select().from(pgLibrary.categories)).toEqual([])
  expect(await db.select().from(pgLibrary.shelvesTable)).toEqual([])
  await database.close()
})
