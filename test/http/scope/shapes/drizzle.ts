import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import {
  type AnySQLiteColumn,
  foreignKey,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core'
import { drizzleModels } from '../../../../src/entry/drizzle.ts'
import type { OpenedOrm, Place } from '../../orm-places.ts'
import { strips, stripTable } from './tables.ts'

const name = () => text({ length: 20 })
const id = () => integer().primaryKey({ autoIncrement: true })
const owned = () => ({ id: id(), tenantId: integer('tenant_id').notNull() })

const accounts = sqliteTable('accounts', {
  ...{ ...owned(), name: name().notNull(), code: name().unique(), marks: text() },
  parentId: integer('parent_id').references((): AnySQLiteColumn => accounts.id),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const accountId = () => integer('account_id').references(() => accounts.id)
const teams = sqliteTable('teams', { ...owned(), name: name().notNull() })
const memberships = sqliteTable(
  'memberships',
  {
    ...{ id: id(), accountId: accountId().notNull() },
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id),
    level: integer().notNull().default(1),
  },
  (table) => [unique().on(table.accountId, table.teamId)],
)
const labels = sqliteTable('labels', { ...owned(), name: name().notNull() })
const contents = sqliteTable('contents', {
  ...{ ...owned(), kind: name().notNull().default('content'), title: name().notNull() },
  ...{ accountId: accountId(), size: integer() },
})
const content = (column: string) => integer(column).references(() => contents.id)
const contentLabels = sqliteTable(
  'content_labels',
  {
    contentId: content('content_id').notNull(),
    labelId: integer('label_id')
      .notNull()
      .references(() => labels.id),
  },
  (table) => [primaryKey({ columns: [table.contentId, table.labelId] })],
)
const remarks = sqliteTable('remarks', {
  ...{ id: id(), text: name(), contentId: content('content_id'), postId: content('post_id') },
})
const slots = sqliteTable(
  'slots',
  {
    ...{ room: text({ length: 10 }).notNull(), place: integer().notNull() },
    ...{ tenantId: integer('tenant_id').notNull(), label: name() },
  },
  (table) => [primaryKey({ columns: [table.room, table.place] })],
)
const tickets = sqliteTable(
  'tickets',
  {
    ...{ ...owned(), room: text({ length: 10 }), place: integer() },
    accountCode: text('account_code', { length: 20 }).references(() => accounts.code),
  },
  (table) => [foreignKey({ columns: [table.room, table.place], foreignColumns: [slots.room, slots.place] })],
)

const tables = {
  ...{ accounts, teams, memberships, labels, contents, contentLabels, remarks, slots, tickets },
  ...Object.fromEntries(
    strips.map((strip) => [
      stripTable(strip),
      sqliteTable(stripTable(strip), { ...owned(), accountId: accountId().notNull() }),
    ]),
  ),
}

export const drizzle = async ({ url }: Place): Promise<OpenedOrm> => {
  const client = new Database(url)
  return {
    models: drizzleModels(overSqlite({ client }), tables),
    end: async () => client.close(),
  }
}
