import { describe, expect, test } from 'vitest'
import { action } from '../../../src/index.ts'
import { type Column, counted, maybe, text, to } from '../../stage/columns.ts'
import type { Method } from '../../stage/requests.ts'
import { inTest, type Parts, type ServiceOptions, startsOf } from '../../stage/service.ts'
import { auth } from './stage.ts'

const json: Column = { type: 'json' }

const { sqlite } = startsOf({
  teams: { id: counted, name: text() },
  players: { id: counted, team_id: to('teams', { nullable: true }), name: text() },
  auditEntries: {
    ...{ id: counted, tenant: maybe('text'), region: maybe('text', { default: 'north' }) },
    ...{
      at: { type: 'time' },
      caller: maybe('text'),
      act: text(),
      model: text(),
      record: text(),
      changes: json,
    },
  },
})

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

const start = async (options: ServiceOptions = {}) => {
  const asked: string[] = []
  const scope = async (_request: unknown, { caller }: { caller: { id: unknown } | null }) => {
    asked.push(String(caller?.id))
    if (caller?.id === 'broken') throw new Error('no')
    return caller === null ? [] : tenants[String(caller.id)]
  }
  const rename = action({ on: 'record', run: () => ({ name: 'renamed' }) })
  const { ask, rows } = await inTest(
    sqlite({
      ...{ audit: true, auth },
      modelConfig: { Team: { bulk: true, write: ['players'] }, AuditEntry: { internal: false } } as never,
      parts: { Team: { actions: { rename } } as Parts, AuditEntry: { scope } as Parts },
      ...options,
    }),
  )
  return {
    ...{ asked, rows },
    send: (user: string, method: Method, path: string, body?: unknown) =>
      ask(method, path, body, { 'x-user': user }),
    entries: () =>
      rows<{ tenant: string | null; region: string | null; act: string; model: string }>(
        'select tenant, region, act, model from audit_entries order by id',
      ),
  }
}

describe('the scope of audit entries', () => {
  test('sets their own columns, whatever writes', async () => {
    const { send, entries } = await start()
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
    const { send } = await start()
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
    const { send, entries } = await start()
    expect((await send(user, 'POST', '/teams/', { name: 'a' })).status).toBe(201)
    expect(await entries()).toMatchObject([{ tenant, region }])
  })

  test('changes neither their keys nor what they record', async () => {
    const { send, rows } = await start()
    expect((await send('named', 'POST', '/players/', { name: 'a' })).status).toBe(201)
    expect(await rows('select id, model, tenant from audit_entries')).toMatchObject([
      { id: 1, model: 'Player', tenant: 'red' },
    ])
  })

  test('that fails refuses the write', async () => {
    const { send, entries, rows } = await start()
    expect((await send('broken', 'POST', '/teams/', { name: 'a' })).status).toBe(500)
    expect(await rows('select * from teams')).toEqual([])
    expect(await entries()).toEqual([])
    expect((await send('broken', 'GET', '/teams/')).status).toBe(200)
  })

  test('runs once in a write, and not in a read', async () => {
    const { send, asked } = await start()
    await send('ada', 'POST', '/teams/', [{ name: 'a', players: [] }, { name: 'b' }].slice(1))
    expect(asked).toEqual(['ada'])
    await send('ada', 'GET', '/teams/')
    expect(asked).toEqual(['ada'])
  })
})

test('the option scope is that of audit entries too, also of writes of related records', async () => {
  const { send, entries } = await start({
    audit: ['Player'] as never,
    parts: {},
    scope: (_request, { caller }, { fields }) =>
      fields.includes('tenant') ? { tenant: String(caller?.id) } : {},
  })
  await send('ada', 'POST', '/teams/', { name: 'a', players: [{ name: 'p' }] })
  expect(await entries()).toMatchObject([{ tenant: 'ada', model: 'Player' }])
})
