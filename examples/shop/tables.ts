import { is } from 'drizzle-orm'
import { MySqlDatabase } from 'drizzle-orm/mysql-core'
import { PgDatabase } from 'drizzle-orm/pg-core'
import type { ShopDatabase } from './db.ts'
import * as mysql from './models/mysql.ts'
import * as pg from './models/pg.ts'
import * as sqlite from './models/sqlite.ts'

/** The types of the tables. Rows have the same types on every database. */
export type Tables = typeof sqlite

type Rows<T> = {
  readonly [Name in keyof T as T[Name] extends { $inferSelect: unknown } ? Name : never]: T[Name] extends {
    $inferSelect: infer Row
  }
    ? Row
    : never
}

/** Fails to compile if rows differ from those of SQLite. */
const same = <T extends object>(tables: T & (Rows<T> extends Rows<Tables> ? unknown : never)): Tables =>
  tables as object as Tables

const ofPostgres = same(pg)
const ofMysql = same(mysql)

/** The primary of a database from `withReplicas`, or the database itself. */
export const primaryOf = <Db extends object>(db: Db): Db =>
  (Reflect.get(db, '$primary') as Db | undefined) ?? db

/** The tables of a database or transaction. */
export const tablesOf = (db: Pick<ShopDatabase, 'select'>): Tables => {
  const primary = primaryOf(db)
  if (is(primary, PgDatabase)) return ofPostgres
  return is(primary, MySqlDatabase) ? ofMysql : sqlite
}
