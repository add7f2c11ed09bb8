import {
  boolean as pgBoolean,
  integer as pgInteger,
  pgTable,
  text as pgText,
  serial,
} from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ControllerClass, controllerFor } from '../../src/index.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from '../stage/databases.ts'
import { documented } from './documented.ts'
import { gate } from './held.ts'

const sqlite = {
  members: sqliteTable('members', {
    id: integer().primaryKey(),
    username: text().notNull(),
    role: text().notNull(),
    is_active: integer({ mode: 'boolean' }).notNull(),
    tenant: integer().notNull(),
  }),
  notes: sqliteTable('notes', {
    id: integer().primaryKey({ autoIncrement: true }),
    text: text().notNull(),
    tenant: integer().notNull(),
  }),
}

const pg = {
  members: pgTable('members', {
    id: pgInteger().primaryKey(),
    username: pgText().notNull(),
    role: pgText().notNull(),
    is_active: pgBoolean().notNull(),
    tenant: pgInteger().notNull(),
  }),
  notes: pgTable('notes', {
    id: serial().primaryKey(),
    text: pgText().notNull(),
    tenant: pgInteger().notNull(),
  }),
}

const ddlOf = (key: string) => `
  create table members (
    id integer primary key, username text not null, role text not null, is_active boolean not null, tenant integer not null);
  create table notes (id ${key}, text text not null, tenant integer not null);
  insert into members values (1, 'edna', 'editor', true, 1);
  insert into notes (text, tenant) values ('a note', 1)`

const databases: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['better-sqlite3', async () => openSqlite(sqlite, ddlOf('integer primary key autoincrement'))],
  ['PGlite', () => openPglite(pg, ddlOf('serial primary key'))],
]

type User = Readonly<Record<string, unknown>> | null
interface Context {
  user(): User | PromiseLike<User>
}

const asControllers = controllerFor as unknown as (model: string, parts: object) => ControllerClass

/** Editors create notes, and everybody reaches those of their tenant. */
const noted = asControllers('Note', {
  scope: async (_request: unknown, context: Context) => ({ tenant: (await context.user())?.['tenant'] }),
  permissions: {
    create: async (_request: unknown, _record: unknown, context: Context) =>
      (await context.user())?.['role'] === 'editor',
  },
})

let editors: ControllerClass
beforeAll(async () => {
  const [page] = await documented('club/editors.ts')
  editors = page?.['MemberController'] as ControllerClass
})

describe.each(databases)('a body that is held back, on %s', (_name, open) => {
  const running: (() => Promise<void>)[] = []
  const { now } = performance
  let passed = 0
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const stop of running.splice(0)) await stop()
  })

  const start = async () => {
    const database = await open()
    const app: App = await onFetch({
      models: database.models,
      controllers: [editors, noted],
      auth: { authenticate: () => ({ id: 1 }) as never },
      modelConfig: { Member: { internal: false, writable: ['role', 'is_active'] } },
      useMultipart: { Note: { create: true } },
      settings: { AUTH_USER_MODEL: 'app.Member', SERVICE_AUTH: { LOGIN_FIELDS: ['username'] } },
    } as never)
    running.push(async () => {
      await app.stop()
      await database.close()
    })
    /** Sends a request whose body comes once something else is done, and some milliseconds have passed. */
    const late = async (method: string, path: string, body: object | string, meanwhile: string, wait = 0) => {
      const held = gate()
      const bytes = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            await held.pass()
            controller.enqueue(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const type = typeof body === 'string' ? 'multipart/form-data; boundary=b' : 'application/json'
      const headers = { 'content-type': type }
      const init = { method, headers, body: bytes, duplex: 'half' }
      const reply = app.ask(path, init as RequestInit)
      await held.reached
      await database.execute(meanwhile)
      passed += wait
      held.open()
      return await reply
    }
    const first = async (table: string): Promise<Row | undefined> =>
      (await database.rows(`select * from ${table} order by id desc`))[0]
    return { late, first, execute: database.execute }
  }

  it('is no failure of the server where the record was changed meanwhile, and may come again', async () => {
    const { late, first } = await start()
    const body = { username: 'late' }
    const reply = await late('PATCH', '/api/members/1', body, 'update members set tenant = 2')
    // What decides may wait, but not in a transaction of better-sqlite3.
    if (reply.status === 503)
      expect([reply.headers.get('retry-after'), Reflect.get(Object(await reply.json()), 'code')]).toEqual([
        '1',
        'write_conflict',
      ])
    else expect(reply.status).toBe(200)
    expect((await late('PATCH', '/api/members/1', body, '')).status).toBe(200)
    expect(await first('members')).toMatchObject({ username: 'late', tenant: 2 })
  })

  it('restores no power that was taken away meanwhile', async () => {
    const { late, first, execute } = await start()
    const meanwhile = "update members set role = 'member', is_active = false"
    for (const wait of [0, 1100]) {
      await late('PATCH', '/api/members/1', { role: 'editor', is_active: true }, meanwhile, wait)
      const found = await first('members')
      expect([found?.['role'], Boolean(found?.['is_active'])]).toEqual(['member', false])
      await execute("update members set role = 'editor', is_active = true")
    }
  })

  it.each([
    ['JSON', { text: 'late' }],
    ['a form', '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nlate\r\n--b--\r\n'],
  ])('does nothing that the caller may no longer do: %s', async (_type, body) => {
    const { late, first } = await start()
    expect((await late('POST', '/api/notes/', body, '')).status).toBe(201)
    const reply = await late('POST', '/api/notes/', body, "update members set role = 'member'", 1100)
    expect(reply.status).toBe(403)
    expect(await first('notes')).toMatchObject({ id: 2 })
  })

  it('does nothing where the caller no longer is', async () => {
    const { late, first } = await start()
    const meanwhile = 'update members set tenant = 2'
    expect((await late('PATCH', '/api/notes/1', { text: 'late' }, meanwhile, 1100)).status).toBe(404)
    expect(await first('notes')).toMatchObject({ text: 'a note' })
    const created = await late('POST', '/api/notes/', { text: 'late' }, 'update members set tenant = 3', 1100)
    expect(await first('notes')).not.toMatchObject({ id: 2, tenant: 2 })
    expect(created.status).toBeLessThan(404)
  })
})
