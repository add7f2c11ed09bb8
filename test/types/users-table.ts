// The tables of users and of audit entries are typed as if drizzle had inferred its type.
import { sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import { type auditTable as mysqlAudit, usersTable as mysqlUsers } from 'modelrest/drizzle/mysql'
import { type auditTable as pgAudit, usersTable as pgUsers } from 'modelrest/drizzle/pg'
import { type auditTable as sqliteAudit, usersTable as sqliteUsers } from 'modelrest/drizzle/sqlite'
import type { Same } from './same.ts'

const inSqlite = sqlite.sqliteTable('users', {
  id: sqlite.integer().primaryKey({ autoIncrement: true }),
  email: sqlite.text({ length: 320 }).notNull().unique(),
  username: sqlite.text({ length: 150 }).unique(),
  name: sqlite.text({ length: 200 }),
  password: sqlite.text({ length: 255 }).notNull(),
  is_active: sqlite.integer({ mode: 'boolean' }).notNull().default(true),
  created_at: sqlite.integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`),
})

const inPg = pg.pgTable('users', {
  id: pg.integer().primaryKey().generatedAlwaysAsIdentity(),
  email: pg.varchar({ length: 320 }).notNull().unique(),
  username: pg.varchar({ length: 150 }).unique(),
  name: pg.varchar({ length: 200 }),
  password: pg.varchar({ length: 255 }).notNull(),
  is_active: pg.boolean().notNull().default(true),
  created_at: pg.timestamp({ withTimezone: true }).notNull().defaultNow(),
})

const inMysql = mysql.mysqlTable('users', {
  id: mysql.int().primaryKey().autoincrement(),
  email: mysql.varchar({ length: 320 }).notNull().unique(),
  username: mysql.varchar({ length: 150 }).unique(),
  name: mysql.varchar({ length: 200 }),
  password: mysql.varchar({ length: 255 }).notNull(),
  is_active: mysql.boolean().notNull().default(true),
  created_at: mysql.timestamp().notNull().defaultNow(),
})

interface Entry {
  readonly caller: string | null
  readonly act: string
  readonly model: string
  readonly record: string
  readonly changes: unknown
  readonly at: Date
}

type Written<Table extends { $inferSelect: unknown }> = Table['$inferSelect'] extends Entry ? true : false

export const written: readonly true[] = [
  true satisfies Written<typeof sqliteAudit>,
  true satisfies Written<typeof pgAudit>,
  true satisfies Written<typeof mysqlAudit>,
]

type Rows<Table extends { $inferSelect: unknown; $inferInsert: unknown }> = readonly [
  Table['$inferSelect'],
  Table['$inferInsert'],
]

export const same: readonly true[] = [
  true satisfies Same<Rows<typeof sqliteUsers>, Rows<typeof inSqlite>>,
  true satisfies Same<Rows<typeof pgUsers>, Rows<typeof inPg>>,
  true satisfies Same<Rows<typeof mysqlUsers>, Rows<typeof inMysql>>,
]

// One stands wherever the other does.
export const [forSqlite, forPg, forMysql]: readonly [typeof inSqlite, typeof inPg, typeof inMysql] = [
  sqliteUsers,
  pgUsers,
  mysqlUsers,
]

declare const db: BetterSQLite3Database

export const rows: {
  readonly email: string
  readonly username: string | null
  readonly is_active: boolean
}[] = db.select().from(sqliteUsers).all()

export const orders = sqlite.sqliteTable('orders', {
  id: sqlite.integer().primaryKey(),
  userId: sqlite.integer().references(() => sqliteUsers.id),
})

const models = drizzleModels(db, { shop: { usersTable: sqliteUsers, orders } })

export const names: Same<
  NonNullable<(typeof models)['~types']>['models'] extends infer M ? keyof M : never,
  'User' | 'Order'
> = true
