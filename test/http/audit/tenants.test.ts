import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { action, controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { onFastify, onFetch } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'

const teams = sqliteTable('teams', { id: integer().primaryKey(), name: text().notNull() })
const tables = {
  teams,
  players: sqliteTable('players', {
    id: integer().primaryKey(),
    team_id: integer().references(() => teams.id),
    name: text().notNull(),
  }),
  auditEntries: sqliteTable('audit_entries', {
    id: integer().primaryKey(),
    tenant: text(),
    region: text().default('north'),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    caller: text(),
    act: text().notNull(),
    model: text().notNull(),
    record: text().notNull(),
    changes: text({ mode: 'json' }).notNull(),
  }),
}

const ddl = `
create table teams (id integer primary key, name text not null);
create table players (id integer primary key, team_id integer references teams (id), name text not null);
create table audit_entries (id integer primary key, tenant text, region text default 'north', at integer not null, caller text,
  act text not null, model text not null, record text not null, changes text not null);
`

const tenants: Readonly<Record<string, unknown>> = {
  ada: { tenant: 'red' },
  eve: { tenant: 'blue', region: null },
  // Whose scope does not say what their entries belong to.
  both: { tenant: ['red', 'blue'] },
  either: [{ tenant: 'red' }, { region: 'south' }],
  all: {},
  none: [],
  named: { model: 'Team', id: 77, tenant: 'red' },
}

const start = async (isAsync: boolean, options: Partial<ModelRestOptions> = {}) => {
  const database = openSqlite(tables, ddl)
  onTestFinished(database.close)
  const asked: string[] = []
  const app = await (isAsync ? onFastify : onFetch)(
    {
      ...{ models: database.models, audit: true, isAsync },
      auth: {
        authenticate: (request: unknown) => {
          const headers: unknown = Reflect.get(Object(request), 'headers')
          const user =
            headers instanceof Headers ? headers.get('x-user') : Reflect.get(Object(headers), 'x-user')
          return typeof user === 'string' ? { id: user, claims: {} } : null
        },
      },
      modelConfig: {
        Team: { bulk: true, write: ['players'] },
        AuditEntry: { internal: false },
      },
      controllers: [
        controllerFor('Team', {
          actions: { rename: action({ on: 'record', run: () => ({ name: 'renamed' }) }) },
        } as never),
        controllerFor('AuditEntry', {
          scope: (_request: unknown, { caller }: { caller: { id: string } | null }) => {
            asked.push(String(caller?.id))
            if (caller?.id === 'broken') throw new Error('no')
            const scope = caller === null ? [] : tenants[caller.id]
            return isAsync ? Promise.resolve(scope) : scope
          },
        } as never),
      ],
      ...options,
    } as Partial<ModelRestOptions>,
    { base: '' },
  )
  onTestFinished(app.stop)
  const send = senderTo(app)
  return {
    asked,
    send: (user: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
      send(method, path, { body, headers: { 'x-user': user } }),
    rows: database.rows,
    entries: () =>
      database.rows<{ tenant: string | null; region: string | null; act: string; model: string }>(
        'select tenant, region, act, model from audit_entries order by id',
      ),
  }
}

describe.each([
  ['asynchronous', true],
  ['in one tick', false],
])('the scope of audit entries, %s', (_name, isAsync) => {
  test('sets their own columns, whatever writes', async () => {
    const { send, entries } = await start(isAsync)
    await send('ada', 'POST', '/teams/', { name: 'a', players: [{ name: 'p' }, { name: 'q' }] })
    await send('ada', 'POST', '/teams/', [{ name: 'b' }, { name: 'c' }])
    await send('ada', 'PATCH', '/teams/1', {
      name: 'd',
      players: { update: [{ id: 1, name: 'r' }], delete: [2] },
    })
    await send('ada', 'PATCH', '/teams/', [{ id: 2, name: 'e' }])
    await send('ada', 'PATCH', '/teams/?q=id>1', { name: 'f' })
    await send('ada', 'PUT', '/teams/2', { name: 'g' })
    await send('ada', 'POST', '/teams/2/rename')
    await send('ada', 'POST', '/teams/2/players/', { name: 's' })
    await send('ada', 'DELETE', '/teams/?q=id=3')
    await send('ada', 'DELETE', '/players/1')
    const found = await entries()
    expect(found.map(({ act, model }) => `${act} ${model}`)).toEqual([
      ...['create Team', 'create Player', 'create Player', 'create Team', 'create Team'],
      ...['update Team', 'delete Player', 'update Player', 'update Team', 'update Team', 'update Team'],
      ...['update Team', 'update Team', 'create Player', 'delete Team', 'delete Player'],
    ])
    expect(new Set(found.map(({ tenant, region }) => `${tenant} ${region}`))).toEqual(new Set(['red north']))
  })

  test('lets each tenant see only its own', async () => {
    const { send } = await start(isAsync)
    for (const user of ['ada', 'eve', 'none']) await send(user, 'POST', '/teams/', { name: user })
    for (const [user, tenant, record] of [
      ['ada', 'red', '1'],
      ['eve', 'blue', '2'],
    ] as const) {
      const { json } = await send(user, 'GET', '/audit-entries/')
      expect(json['items']).toMatchObject([{ tenant, record, caller: user }])
      const [{ id }] = json['items'] as [{ id: number }]
      expect((await send(user, 'GET', `/audit-entries/${3 - id}`)).status).toBe(404)
      expect((await send(user, 'GET', '/audit-entries/3')).status).toBe(404)
    }
  })

  test.each([
    ['eve', 'blue', null],
    ['both', null, 'north'],
    ['either', null, 'north'],
    ['all', null, 'north'],
    ['none', null, 'north'],
  ])('of %s sets what it allows one value for', async (user, tenant, region) => {
    const { send, entries } = await start(isAsync)
    expect((await send(user, 'POST', '/teams/', { name: 'a' })).status).toBe(201)
    expect(await entries()).toMatchObject([{ tenant, region }])
  })

  test('changes neither their keys nor what they record', async () => {
    const { send, rows } = await start(isAsync)
    expect((await send('named', 'POST', '/players/', { name: 'a' })).status).toBe(201)
    expect(await rows('select id, model, tenant from audit_entries')).toMatchObject([
      { id: 1, model: 'Player', tenant: 'red' },
    ])
  })

  test('that fails refuses the write', async () => {
    const { send, entries, rows } = await start(isAsync)
    expect((await send('broken', 'POST', '/teams/', { name: 'a' })).status).toBe(500)
    expect(await rows('select * from teams')).toEqual([])
    expect(await entries()).toEqual([])
    expect((await send('broken', 'GET', '/teams/')).status).toBe(200)
  })

  test('runs once in a write, and not in a read', async () => {
    const { send, asked } = await start(isAsync)
    await send('ada', 'POST', '/teams/', [{ name: 'a', players: [] }, { name: 'b' }].slice(1))
    expect(asked).toEqual(['ada'])
    await send('ada', 'GET', '/teams/')
    expect(asked).toEqual(['ada'])
  })
})

test('the option scope is that of audit entries too, also of writes of related records', async () => {
  const { send, entries } = await start(true, {
    audit: ['Player'] as never,
    controllers: [],
    scope: (_request, { caller }, { fields }) =>
      fields.includes('tenant') ? { tenant: String(caller?.id) } : {},
  })
  await send('ada', 'POST', '/teams/', { name: 'a', players: [{ name: 'p' }] })
  expect(await entries()).toMatchObject([{ tenant: 'ada', model: 'Player' }])
})
