import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { boolean, integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import pg from 'pg'

/** The table of products, in each database. */
export const tables = {
  sqlite: sqliteTable('products', {
    id: integer().primaryKey(),
    name: text().notNull(),
    stock: integer().notNull(),
    in_stock: integer({ mode: 'boolean' }).notNull(),
  }),
  postgres: pgTable('products', {
    id: pgInteger().primaryKey(),
    name: pgText().notNull(),
    stock: pgInteger().notNull(),
    in_stock: boolean().notNull(),
  }),
} as const

export const openSqlite = (file: string) => drizzleSqlite(new Database(file))
export const openPostgres = (url: string) => drizzlePg(new pg.Pool({ connectionString: url }))

export const fillSqlite = (file: string, rows: number): void => {
  const client = new Database(file)
  client.exec(`create table products (id integer primary key, name text not null, stock integer not null, in_stock integer not null);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
    insert into products select i, 'product ' || (i * 7919 % ${rows}), i % 100, i % 3 > 0 from n; analyze`)
  client.close()
}

export const fillPostgres = async (url: string, rows: number): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    'create table products (id integer primary key, name text not null, stock integer not null, in_stock boolean not null)',
  )
  await client.query(
    `insert into products select i, 'product ' || (i::bigint * 7919 % ${rows}), i % 100, i % 3 > 0 from generate_series(1, ${rows}) i`,
  )
  await client.query('vacuum analyze products')
  await client.end()
}
