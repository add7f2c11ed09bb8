import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { auditTable } from '../../../src/entry/drizzle-sqlite.ts'
import { controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { auditTables } from '../../stage/dialects.ts'
import { startError } from '../start-error.ts'

const things = sqliteTable('things', { id: integer().primaryKey(), name: text() })
const own = {
  id: integer().primaryKey(),
  at: integer({ mode: 'timestamp' }).notNull(),
  caller: text(),
  act: text({ enum: ['create', 'update', 'delete'] }).notNull(),
  model: text().notNull(),
  record: text().notNull(),
  changes: text({ mode: 'json' }).notNull(),
}

const named = { audit: true, settings: { AUDIT_MODEL: 'app.Log' } }

type Tables = Parameters<typeof openSqlite>[0]

const entries = { auditEntries: auditTable }

test.each<readonly [string, Tables, object, readonly string[]]>([
  ['no model for the entries', {}, { audit: true }, ['AuditEntry', 'changes', 'AUDIT_MODEL', 'auditTable']],
  [
    'an unknown model for them',
    entries,
    { audit: true, settings: { AUDIT_MODEL: 'app.AuditEntri' } },
    ['app.AuditEntry'],
  ],
  [
    'a setting without the option',
    entries,
    { settings: { AUDIT_MODEL: 'app.AuditEntry' } },
    ['AUDIT_MODEL', 'audit'],
  ],
  ['another type', entries, { audit: 'Thing' }, ['audit']],
  ['an empty list', entries, { audit: [] }, ['audit']],
  ['an unknown model', entries, { audit: ['Thingy'] }, ['Thingy', 'Thing']],
  ['the entries themselves', entries, { audit: ['AuditEntry'] }, ['AuditEntry']],
  [
    'a missing field',
    { logs: sqliteTable('logs', { ...own, changes: text('c') }) },
    named,
    ['Log', 'changes', 'json'],
  ],
  [
    'a field of another kind',
    { logs: sqliteTable('logs', { ...own, at: text().notNull() }) },
    named,
    ['at', 'datetime'],
  ],
  [
    'a caller that is not nullable',
    { logs: sqliteTable('logs', { ...own, caller: text().notNull() }) },
    named,
    ['caller'],
  ],
  [
    'a field that nothing sets',
    { logs: sqliteTable('logs', { ...own, tenant: text().notNull() }) },
    named,
    ['tenant'],
  ],
  [
    'entries that clients write',
    entries,
    { audit: true, modelConfig: { AuditEntry: { internal: false, operations: ['list', 'create'] } } },
    ['AuditEntry', 'operations'],
  ],
  [
    'a controller of entries that are not served',
    entries,
    { audit: true, controllers: [controllerFor('AuditEntry', { permissions: { read: () => true } })] },
    ['AuditEntry', 'internal', 'exclude'],
  ],
])('refuses %s', async (_what, tables, options, words) => {
  const { models } = openSqlite({ things, ...tables }, '')
  const started = onFastify({ models, ...options } as Partial<ModelRestOptions>)
  await expect(started).rejects.toEqual(startError(...words))
})

test('takes entries that relations lead to', async () => {
  const { models, close } = openSqlite(
    { things, ...entries },
    `create table things (id integer primary key, name text); ${auditTables.sqlite.ddl}`,
  )
  const modelConfig = { AuditEntry: { internal: false, operations: ['list', 'related'] as const } }
  const app = await onFastify(
    { models, controllers: [], audit: true, modelConfig },
    { base: '', onEntry: () => undefined },
  )
  await app.stop()
  await close()
})
