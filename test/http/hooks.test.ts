import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HookName } from '../../src/controller/controller.ts'
import { HttpError, ValueError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { databases, type Hooked, type Start, type ThingHooks } from './hooked.ts'

/** Hooks that write down their names, and do what else they are told. */
const tracing = (trace: string[], also: ThingHooks = {}): ThingHooks => {
  const names: readonly HookName[] = [
    ...(['beforeList', 'afterList', 'beforeCreate', 'afterCreate', 'beforeUpdate', 'afterUpdate'] as const),
    ...(['beforeDelete', 'afterDelete', 'afterCommit', 'scope', 'afterRead', 'present'] as const),
  ]
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...given: never[]) => {
        trace.push(name)
        const run = also[name] as ((...given: never[]) => unknown) | undefined
        return run === undefined && name === 'scope' ? {} : run?.(...given)
      },
    ]),
  )
}

describe.each(databases)('hooks on %s', (_name, start: Start) => {
  let service: Hooked | undefined
  const serve = async (...given: Parameters<Start>): Promise<Hooked> => {
    service = await start(...given)
    return service
  }
  afterEach(() => service?.stop())

  /** Starts with one thing, forgets what ran for it, sends a request, and gives what ran for that. */
  const ranFor = async (
    also: ThingHooks,
    ...[method, path, body]: Parameters<Hooked['send']>
  ): Promise<{ status: number; json: Record<string, unknown>; trace: string[] }> => {
    const trace: string[] = []
    const { send, execute, rest } = await serve(tracing(trace, also))
    await execute(`insert into things (name) values ('first'), ('second')`)
    const reply = await send(method, path, body)
    await rest.close()
    return { ...reply, trace }
  }

  describe('run once each, in their order', () => {
    it.each([
      ['a list', 'GET', '/things/', undefined, 200, 'scope beforeList afterList present'],
      ['a detail', 'GET', '/things/1', undefined, 200, 'scope afterRead present'],
      [
        'a create',
        'POST',
        '/things/',
        { name: 'x' },
        201,
        'scope beforeCreate afterCreate present afterCommit',
      ],
      [
        'an update',
        'PATCH',
        '/things/1',
        { name: 'x' },
        200,
        'scope beforeUpdate afterUpdate present afterCommit',
      ],
      [
        'an empty update',
        'PATCH',
        '/things/1',
        {},
        200,
        'scope beforeUpdate afterUpdate present afterCommit',
      ],
      [
        'a replacement',
        'PUT',
        '/things/1',
        { name: 'x' },
        200,
        'scope beforeUpdate afterUpdate present afterCommit',
      ],
      ['a delete', 'DELETE', '/things/1', undefined, 204, 'scope beforeDelete afterDelete afterCommit'],
    ] as const)('%s', async (_what, method, path, body, status, expected) => {
      const reply = await ranFor({}, method, path, body)
      expect([reply.status, reply.trace.join(' ')]).toEqual([status, expected])
    })
  })

  describe('do not run where the request fails before', () => {
    it.each([
      ['a list that asks wrongly', 'GET', '/things/?sort=colour', undefined, 400, ''],
      ['a body that does not fit', 'POST', '/things/', { nam: 'x' }, 422, 'scope'],
      ['an update of nothing', 'PATCH', '/things/9', { name: 'x' }, 404, 'scope'],
      ['an update that does not fit', 'PATCH', '/things/1', { name: null }, 422, 'scope'],
      ['a replacement of nothing', 'PUT', '/things/9', { name: 'x' }, 404, 'scope'],
      ['a delete of nothing', 'DELETE', '/things/9', undefined, 404, 'scope'],
      ['a value that is taken', 'POST', '/things/', { name: 'first' }, 409, 'scope beforeCreate'],
      ['an update to one that is', 'PATCH', '/things/2', { name: 'first' }, 409, 'scope beforeUpdate'],
    ] as const)('%s', async (_what, method, path, body, status, expected) => {
      const reply = await ranFor({}, method, path, body)
      expect([reply.status, reply.trace.join(' ')]).toEqual([status, expected])
    })
  })

  describe('that refuse', () => {
    const refusing = (name: HookName, error: Error): ThingHooks => ({
      [name]: () => {
        throw error
      },
    })

    it.each([
      ['beforeCreate', 'POST', '/things/', { name: 'x' }],
      ['afterCreate', 'POST', '/things/', { name: 'x' }],
      ['beforeUpdate', 'PATCH', '/things/1', { name: 'x' }],
      ['afterUpdate', 'PATCH', '/things/1', { name: 'x' }],
      ['afterUpdate', 'PUT', '/things/1', { name: 'x' }],
      ['beforeDelete', 'DELETE', '/things/1', undefined],
      ['afterDelete', 'DELETE', '/things/1', undefined],
    ] as const)('%s of a %s leaves everything as it was', async (name, method, path, body) => {
      const reply = await ranFor(refusing(name, new ValueError('Not today.')), method, path, body)
      expect(reply).toMatchObject({ status: 400, json: { code: 'rejected', detail: 'Not today.' } })
      expect(reply.trace.at(-1)).toBe(name)
      expect(await service?.names()).toEqual(['first', 'second'])
    })

    it('by an HttpError answer as it says, by anything else opaquely', async () => {
      const chosen = await ranFor(refusing('beforeCreate', new HttpError(403, 'No.')), 'POST', '/things/', {
        name: 'x',
      })
      expect(chosen).toMatchObject({ status: 403, json: { detail: 'No.' } })
      await service?.stop()
      const opaque = await ranFor(refusing('afterCreate', new Error('the reason')), 'POST', '/things/', {
        name: 'x',
      })
      expect(opaque.status).toBe(500)
      expect(JSON.stringify(opaque.json)).not.toContain('the reason')
      expect(service?.log.join()).toContain('the reason')
      expect(await service?.names()).toEqual(['first', 'second'])
    })
  })

  describe('that fail by something else than the database', () => {
    const network = (code: string) =>
      new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) })

    it.each([
      ['beforeCreate', 'ECONNREFUSED'],
      ['beforeCreate', 'ECONNRESET'],
      ['afterCreate', 'ECONNREFUSED'],
      ['afterCreate', 'ECONNRESET'],
    ] as const)('%s: another service is away (%s)', async (name, code) => {
      const thrown = [
        network(code),
        Object.assign(new Error('read'), { code }),
        new HttpError(502, 'Payment is away.', { cause: network(code) }),
        new ValueError('No payment.', { cause: network(code) }),
      ]
      const { send, names } = await serve({
        [name]: () => {
          throw thrown.shift()
        },
      })
      const told = []
      for (let turn = 0; turn < 4; turn += 1) {
        const { status, json } = await send('POST', '/things/', { name: 'x' })
        told.push(`${status} ${json['code']}`)
      }
      expect(told).toEqual(['500 internal_error', '500 internal_error', '502 bad_gateway', '400 rejected'])
      expect(await names()).toEqual([])
    })
  })

  describe('whose own statement fails', () => {
    const secret = 'hash-of-a-password'
    const insert = sql`insert into things (name) values (${secret})`
    const inserting = (db: unknown): unknown => {
      const handle = db as { run?(statement: unknown): unknown; execute?(statement: unknown): unknown }
      return handle.run === undefined ? handle.execute?.(insert) : handle.run(insert)
    }
    const wrapping = (db: unknown): unknown => {
      const told = (cause: unknown): never => {
        throw new HttpError(502, 'Not written.', { cause: new Error('It was this:', { cause }) })
      }
      try {
        const done = inserting(db)
        return typeof (done as { then?: unknown }).then === 'function'
          ? Promise.resolve(done).catch(told)
          : done
      } catch (error) {
        return told(error)
      }
    }

    it.each([
      ['beforeCreate', inserting, 500],
      ['afterCreate', inserting, 500],
      ['afterCommit', inserting, 201],
      ['beforeCreate', wrapping, 502],
      ['afterCreate', wrapping, 502],
    ] as const)('%s leaves no values in the log', async (name, act, status) => {
      const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      try {
        const hooks = { [name]: (...given: { db?: unknown }[]) => act(given.at(-1)?.db) }
        const { send, execute, lines, rest } = await serve(hooks)
        await execute(`insert into things (name) values ('${secret}')`)
        expect((await send('POST', '/things/', { name: 'x' })).status).toBe(status)
        await rest.close()
        expect(lines.join()).toMatch(/unique/i)
        expect(lines.join() + write.mock.calls.join()).not.toContain(secret)
      } finally {
        write.mockRestore()
      }
    })
  })

  describe('before a write', () => {
    it('may add what no client may send', async () => {
      const { send } = await serve({
        beforeCreate: (_request, payload) => ({ ...payload, slug: String(payload['name']).toLowerCase() }),
        beforeUpdate: (_request, record, payload) => ({
          ...payload,
          slug: `${record['name']} to ${payload['name']}`,
        }),
      })
      expect((await send('POST', '/things/', { name: 'Lamp', slug: 'own' })).status).toBe(422)
      expect((await send('POST', '/things/', { name: 'Lamp' })).json).toMatchObject({ slug: 'lamp' })
      const changed = await send('PATCH', '/things/1', { name: 'Desk' })
      expect(changed.json).toMatchObject({ name: 'Desk', slug: 'Lamp to Desk' })
      const replaced = await send('PUT', '/things/1', { name: 'Oak' })
      expect(replaced.json).toMatchObject({ name: 'Oak', slug: 'Desk to Oak' })
    })

    it('may change the payload itself and return nothing', async () => {
      const { send } = await serve({
        beforeCreate: (_request, payload) => {
          payload['slug'] = 'changed'
        },
      })
      expect((await send('POST', '/things/', { name: 'x' })).json).toMatchObject({ slug: 'changed' })
    })

    it('get a schema that knows the columns', async () => {
      const { send } = await serve({
        beforeCreate: (_request, payload, createSchema) => createSchema.parse({ ...payload, slug: 'parsed' }),
        beforeUpdate: (_request, _record, payload, updateSchema) =>
          updateSchema.parse({ ...payload, slug: 'x'.repeat(21) }),
      })
      expect((await send('POST', '/things/', { name: 'x' })).json).toMatchObject({ slug: 'parsed' })
      const long = await send('PATCH', '/things/1', { name: 'y' })
      expect(long).toMatchObject({ status: 422, json: { errors: [{ pointer: '/slug', code: 'too_long' }] } })
    })

    it('are held to the columns: 422 for a value that does not fit, a logged 500 for what is none', async () => {
      let result: Record<string, unknown> = { name: 'x'.repeat(21) }
      const { send, log, names } = await serve({ beforeCreate: () => result })
      const long = await send('POST', '/things/', { name: 'x' })
      expect(long).toMatchObject({ status: 422, json: { errors: [{ pointer: '/name' }] } })
      result = {}
      expect(await send('POST', '/things/', { name: 'x' })).toMatchObject({ status: 422 })
      result = { name: 'x', colour: 'red' }
      const unknown = await send('POST', '/things/', { name: 'x' })
      expect(unknown.status).toBe(500)
      expect(JSON.stringify(unknown.json)).not.toContain('colour')
      expect(log.join()).toMatch(naming('Thing', 'colour'))
      expect(await names()).toEqual([])
    })

    it('may wait, where the mode is asynchronous', async () => {
      const { send } = await serve({
        beforeCreate: async (_request, payload) => {
          await new Promise((resolve) => setImmediate(resolve))
          return { ...payload, slug: 'late' }
        },
      })
      expect((await send('POST', '/things/', { name: 'x' })).json).toMatchObject({ slug: 'late' })
    })
  })

  describe('after', () => {
    it('may show something else, and nothing that is hidden', async () => {
      const shown = (record: Record<string, unknown>) => ({ ...record, label: `thing ${record['id']}` })
      const { send } = await serve({
        afterCreate: (_request, record) => shown(record),
        afterUpdate: (_request, record) => ({ ...shown(record), name: '***' }),
        afterList: (_request, records) => records.map(shown),
      })
      const created = await send('POST', '/things/', { name: 'x', password: 'secret' })
      expect(created.json).toEqual({ id: 1, name: 'x', slug: null, label: 'thing 1' })
      expect((await send('PATCH', '/things/1', {})).json).toMatchObject({ name: '***', label: 'thing 1' })
      const list = await send('GET', '/things/')
      expect(list.json).toEqual({ items: [created.json], count: 1, count_exact: true })
      const some = await send('GET', '/things/?fields=name')
      expect(some.json['items']).toEqual([{ id: 1, name: 'x', label: 'thing 1' }])
    })

    it('see the whole record, and cannot change the reply by changing theirs', async () => {
      const seen: unknown[] = []
      const { send } = await serve({
        afterCreate: (_request, record) => {
          seen.push({ ...record })
          record['name'] = 'changed'
        },
      })
      const created = await send('POST', '/things/', { name: 'x', password: 'secret' })
      expect(created.json).toMatchObject({ name: 'x' })
      expect(seen).toEqual([{ id: 1, name: 'x', slug: null, password: 'secret' }])
    })
  })

  describe('of lists', () => {
    it('may narrow what is asked for, and the count follows', async () => {
      const { send, execute } = await serve({
        beforeList: (_request, query) => ({
          ...query,
          filter: { op: 'and', conditions: [query.filter, { op: 'ne', field: 'name', value: 'b' }] },
          order: [{ field: 'name', direction: 'desc' }],
        }),
      })
      await execute(`insert into things (name) values ('a'), ('b'), ('c')`)
      const { json } = await send('GET', '/things/?limit=1&fields=name')
      expect(json).toEqual({ items: [{ id: 3, name: 'c' }], count: 2, count_exact: true })
    })

    it('work with cursor pages', async () => {
      const { send, execute } = await serve(
        {
          beforeList: (_request, query) => ({ ...query, order: [{ field: 'name', direction: 'desc' }] }),
        },
        { paginationType: 'cursor' },
      )
      await execute(`insert into things (name) values ('a'), ('b'), ('c')`)
      const seen: unknown[] = []
      let cursor: unknown = ''
      do {
        const query = cursor === '' ? '' : `&cursor=${cursor}`
        const { json } = await send('GET', `/things/?limit=1${query}`)
        seen.push(...(json['items'] as { name: string }[]).map(({ name }) => name))
        cursor = json['next']
      } while (cursor !== null)
      expect(seen).toEqual(['c', 'b', 'a'])
    })
  })

  describe('afterCommit', () => {
    it('learns what was done, and fails no reply', async () => {
      const events: unknown[] = []
      const { send, rest, log } = await serve({
        afterCommit: async (_request, event, record) => {
          events.push([event, record['name']])
          throw new Error('too late to matter')
        },
      })
      expect((await send('POST', '/things/', { name: 'x' })).status).toBe(201)
      expect((await send('PATCH', '/things/1', { name: 'y' })).status).toBe(200)
      expect((await send('DELETE', '/things/1')).status).toBe(204)
      await rest.close()
      expect(events).toEqual([
        ['create', 'x'],
        ['update', 'y'],
        ['delete', 'y'],
      ])
      expect(log.join()).toContain('too late to matter')
    })

    it('is waited for by close()', async () => {
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let done = false
      const { send, rest } = await serve({
        afterCommit: async () => {
          await held
          done = true
        },
      })
      await send('POST', '/things/', { name: 'x' })
      const closing = rest.close()
      expect(done).toBe(false)
      release()
      await closing
      expect(done).toBe(true)
    })
  })

  it('are in the document by what they may answer', async () => {
    const { rest } = await serve({ beforeCreate: () => undefined, scope: () => ({}) })
    const codesOf = (id: string) => rest.operations.find((operation) => operation.id === id)?.problems
    expect(codesOf('createThing')).toEqual(expect.arrayContaining(['rejected', 'forbidden']))
    expect(codesOf('updateThing')).toEqual(expect.arrayContaining(['forbidden']))
    expect(codesOf('updateThing')).not.toContain('rejected')
    expect(codesOf('getThing')).not.toContain('forbidden')
    const { paths } = rest.openapi() as unknown as { paths: Record<string, { post: { responses: object } }> }
    expect(Object.keys(paths['/things/']?.post.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '403']),
    )
  })

  it('leave what was sent out of the log where the database fails', async () => {
    const { send, execute, log } = await serve({})
    await execute('drop table things')
    const reply = await send('POST', '/things/', { name: 'x', password: 'a very secret word' })
    expect(reply.status).toBe(500)
    expect(log.join()).toMatch(/things/)
    expect(log.join()).not.toContain('very secret')
    expect(JSON.stringify(reply.json)).not.toMatch(/secret|insert/)
  })

  describe('that return what they may not', () => {
    it.each([
      ['a number for a page', 'afterList', () => 5, 'GET', '/things/'],
      [
        'a page that is not an array',
        'afterList',
        (_request: never, items: never) => ({ items }),
        'GET',
        '/things/',
      ],
      [
        'a page of promises',
        'afterList',
        (_request: never, items: readonly object[]) => items.map(async (item) => item),
        'GET',
        '/things/',
      ],
      ['a number for a new record', 'afterCreate', () => 5, 'POST', '/things/'],
      ['null for a changed record', 'afterUpdate', () => null, 'PATCH', '/things/1'],
      ['false to refuse a delete', 'beforeDelete', () => false, 'DELETE', '/things/1'],
    ] as const)('%s', async (_what, name, hook, method, path) => {
      const { send, execute, names, log } = await serve({ [name]: hook } as ThingHooks)
      await execute(`insert into things (name) values ('first')`)
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' }
      expect(await send(method, path, body)).toMatchObject({ status: 500, json: { code: 'internal_error' } })
      expect(await names()).toEqual(['first'])
      expect(log.join()).toMatch(naming(name))
    })
  })
})
