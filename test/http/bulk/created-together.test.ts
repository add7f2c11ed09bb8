import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { controllerFor } from '../../../src/index.ts'
import { onFastify, onFetch } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'
import { refusalOf } from './stage.ts'

const tables = {
  parts: sqliteTable('parts', {
    code: text().primaryKey(),
    team: integer().notNull(),
    deleted_at: integer({ mode: 'timestamp_ms' }),
  }),
  auditEntries: sqliteTable('audit_entries', {
    id: integer().primaryKey(),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    caller: text(),
    act: text().notNull(),
    model: text().notNull(),
    record: text({ length: 10 }).notNull(),
    changes: text({ mode: 'json' }).notNull(),
  }),
}

const ddl = `
create table parts (code text primary key, team integer not null, deleted_at integer);
create table audit_entries (id integer primary key, at integer not null, caller text, act text not null, model text not null,
  record text not null, changes text not null);
`

const start = async (isAsync: boolean, part: object = {}) => {
  const database = openSqlite(tables, ddl)
  onTestFinished(database.close)
  const app = await (isAsync ? onFastify : onFetch)(
    {
      ...{ models: database.models, audit: true, isAsync },
      modelConfig: { Part: { public: true, bulk: true, softDelete: 'deleted_at' } },
      controllers: [controllerFor('Part', part as never)],
    },
    { base: '' },
  )
  onTestFinished(app.stop)
  return { send: senderTo(app), rows: database.rows }
}

describe.each([['promises', true] as const, ['one tick', false] as const])(
  'an array of new records with %s',
  (_name, isAsync) => {
    test('says which one has a key that the audit log has no room for', async () => {
      const { send, rows } = await start(isAsync)
      const body = ['a', 'b'.repeat(11), 'c'].map((code) => ({ code, team: 1 }))
      expect(refusalOf(await send('POST', '/parts/', { body }))).toEqual([
        ...[422, 'invalid_body', '/1/code too_long'],
      ])
      expect(await rows('select code from parts')).toEqual([])
      expect(await rows('select id from audit_entries')).toEqual([])
    })

    test('may have records that a hook deletes softly, within a scope', async () => {
      const { send, rows } = await start(isAsync, {
        scope: () => ({ team: 1 }),
        beforeCreate: (_request: never, payload: { code: string }) =>
          payload.code === 'old' ? { ...payload, deleted_at: new Date(1000) } : payload,
      })
      const create = (codes: readonly string[], team = 1) =>
        send('POST', '/parts/', { body: codes.map((code) => ({ code, team })) })
      expect((await create(['new', 'old'])).status).toBe(201)
      expect(refusalOf(await create(['other'], 2)).slice(0, 2)).toEqual([403, 'forbidden'])
      expect(await rows('select code from parts where deleted_at is not null')).toEqual([{ code: 'old' }])
    })
  },
)
