import { is } from 'drizzle-orm'
import { MySqlDatabase } from 'drizzle-orm/mysql-core'
import { PgDatabase } from 'drizzle-orm/pg-core'
import type { ShopDatabase } from './db.ts'
import * as mysql from './models/mysql.ts'
import * as pg from './models/pg.ts'
import * as sqlite from './models/sqlite.ts'

/** The tables as TypeScript sees them. Their rows are the same on every database. */
export type Tables = typeof sqlite

type Rows<T> = {
  readonly [Name in keyof T as T[Name] extends { $inferSelect: unknown } ? Name : never]: T[Name] extends {
    $inferSelect: infer Row
  }
    ? Row
    : never
}

/** Refuses tables whose rows differ from SQLite's. */
const same = <T extends object>(tables: T & (Rows<T> extends Rows<Tables> ? unknown : never)): Tables =>
  tables as object as Tables

const ofPostgres = same(pg)
const ofMysql = same(mysql)

/** The database that is written to, of one that `withReplicas` of drizzle gives. Else the same. */
export const primaryOf = <Db extends object>(db: Db): Db =>
  (Reflect.get(db, '$primary') as Db | undefined) ?? db

/** The tables of a database, or of one of its transactions. */
export const tablesOf = (db: Pick<ShopDatabase, 'select'>): Tables => {
  const primary = primaryOf(db)
  if (is(primary, PgDatabase)) return ofPostgres
  return is(primary, MySqlDatabase) ? ofMysql : sqlite
}
