import { describe, expect, it } from 'vitest'
import { naming } from '../naming.ts'
import { inTest } from '../stage/service.ts'
import { type Hooked, startThings, type ThingHooks } from './hooked.ts'

describe('a function of the application that fails', () => {
  const start = startThings
  const serve = async (hooks: object): Promise<Hooked> => {
    const service = await inTest(start(hooks as ThingHooks))
    await service.execute(`insert into things (name) values ('first')`)
    return service
  }

  const failing = () => {
    throw new TypeError('the reason')
  }

  describe('is named by the first line of the log, and its own error follows', () => {
    it.each([
      ['hook', 'scope', { scope: failing }, 'GET', '/things/'],
      ['hook', 'beforeList', { beforeList: failing }, 'GET', '/things/'],
      ['hook', 'afterList', { afterList: failing }, 'GET', '/things/'],
      ['hook', 'beforeCreate', { beforeCreate: failing }, 'POST', '/things/'],
      ['hook', 'afterCreate', { afterCreate: failing }, 'POST', '/things/'],
      ['hook', 'beforeUpdate', { beforeUpdate: failing }, 'PATCH', '/things/1'],
      ['hook', 'afterUpdate', { afterUpdate: failing }, 'PUT', '/things/1'],
      ['hook', 'beforeDelete', { beforeDelete: failing }, 'DELETE', '/things/1'],
      ['hook', 'afterDelete', { afterDelete: failing }, 'DELETE', '/things/1'],
      ['permission', 'read', { permissions: { read: failing } }, 'GET', '/things/1'],
      ['permission', 'create', { permissions: { create: failing } }, 'POST', '/things/'],
      ['permission', 'update', { permissions: { update: failing } }, 'PATCH', '/things/1'],
    ] as const)('the %s %s', async (kind, name, hooks, method, path) => {
      const { send, log } = await serve(hooks)
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' }
      const { status, json } = await send(method, path, body)
      expect([status, json['code']]).toEqual([500, 'internal_error'])
      const [line, error] = log
      expect(line).toMatch(naming(method, path, kind, name, 'Thing', 'controllers[0]'))
      expect(error).toMatch(/^the reason\nTypeError: the reason\n\s+at .*failing.*hook-failures/)
      expect(log).toHaveLength(2)
    })

    it('the hook afterCommit', async () => {
      const { send, log, rest } = await serve({ afterCommit: failing })
      expect((await send('POST', '/things/', { name: 'x' })).status).toBe(201)
      await rest.close()
      expect(log[0]).toMatch(naming('create', 'afterCommit', 'Thing', 'controllers[0]'))
    })

    it('but no function that had nothing to do with it', async () => {
      const { send, log, execute } = await serve({
        beforeCreate: (_request: never, payload: object) => payload,
      })
      await execute('drop table things')
      expect((await send('POST', '/things/', { name: 'x' })).status).toBe(500)
      expect(log[0]).not.toContain('beforeCreate')
    })
  })

  describe('by what it returns is named with its model and what is allowed', () => {
    const query = (change: object) => (_request: never, given: object) => ({ ...given, ...change })

    it.each([
      ['no query', () => 5, ['query']],
      ['an array', () => [], ['query']],
      ['no order', query({ order: undefined }), ['order', 'field', 'direction']],
      ['an order of names', query({ order: ['name'] }), ['order', 'field', 'direction']],
      ['another direction', query({ order: [{ field: 'name', direction: 'DESC' }] }), ['asc', 'desc']],
      [
        'an order by no field',
        query({ order: [{ field: 'nam', direction: 'asc' }] }),
        ['nam', 'name', 'slug'],
      ],
      ['a negative limit', query({ limit: -1 }), ['limit', 0]],
      ['a text for an offset', query({ offset: '1' }), ['offset', 0]],
      ['a filter of fields', query({ filter: { name: 'x' } }), ['filter', 'eq', 'is-null']],
      ['another operator', query({ filter: { op: 'constructor', field: 'name' } }), ['filter', 'eq']],
      ['a filter by no field', query({ filter: { op: 'eq', field: 'nam', value: 1 } }), ['nam', 'name']],
      ['no conditions', query({ filter: { op: 'and' } }), ['and', 'conditions']],
      [
        'an inner condition that is none',
        query({ filter: { op: 'not', condition: { op: 'or', conditions: [null] } } }),
        ['filter', 'eq'],
      ],
      ['no values', query({ filter: { op: 'in', field: 'name' } }), ['in', 'values']],
      ['no relation', query({ filter: { op: 'related', relation: 'owner' } }), ['owner', 'none']],
    ])('%s for a list', async (_what, beforeList, names) => {
      const { send, log } = await serve({ beforeList })
      expect((await send('GET', '/things/')).status).toBe(500)
      expect(log[1]?.split('\n')[0]).toMatch(naming('beforeList', 'Thing', ...names))
    })

    it('but part of a query is enough', async () => {
      const { send } = await serve({ beforeList: () => ({ limit: 0 }) })
      expect((await send('GET', '/things/')).json).toMatchObject({ items: [], count: 1 })
    })

    it('as is a hook whose values fit no column, and a scope that is none', async () => {
      const { send, log } = await serve({
        beforeCreate: () => ({ name: 'x', colour: 'red' }),
        scope: (request: { method: string }) => (request.method === 'GET' ? { colour: 1 } : {}),
      })
      expect((await send('POST', '/things/', { name: 'x' })).status).toBe(500)
      expect(log.join('\n')).toMatch(
        naming('beforeCreate', 'Thing', 'controllers[0]', 'colour', 'Allowed: id, name'),
      )
      const before = log.length
      expect((await send('GET', '/things/')).status).toBe(500)
      expect(log.slice(before).join('\n')).toMatch(naming('scope', 'Thing', 'controllers[0]', 'colour'))
    })

    it.each([
      ['afterCreate', 'POST', '/things/'],
      ['afterUpdate', 'PATCH', '/things/1'],
    ] as const)('%s with the result of a statement', async (name, method, path) => {
      const { send, log, names } = await serve({ [name]: () => ({ changes: 1, lastInsertRowid: 1 }) })
      expect((await send(method, path, { name: 'x' })).status).toBe(500)
      expect(log[1]).toMatch(naming(name, 'Thing'))
      expect(await names()).toEqual(['first'])
    })

    it('except afterDelete, whose result nobody sees', async () => {
      const { send } = await serve({ afterDelete: () => ({ changes: 1 }) })
      expect((await send('DELETE', '/things/1')).status).toBe(204)
    })
  })

  describe('to decide on a permission', () => {
    it.each([
      ['undefined', () => undefined],
      ['null', () => null],
      ['number', () => 1],
    ])('with %s is refused, and the log says it once', async (kind, create) => {
      const { send, warnings } = await serve({ permissions: { create } })
      for (let turn = 0; turn < 3; turn += 1)
        expect((await send('POST', '/things/', { name: 'x' })).status).toBe(401)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(naming('permission', 'create', 'Thing', 'controllers[0]', kind))
    })

    it('is said of each permission, and of none that answers', async () => {
      const { send, warnings } = await serve({
        permissions: {
          create: () => undefined,
          update: () => undefined,
          read: () => true,
          delete: () => false,
        },
      })
      await send('POST', '/things/', { name: 'x' })
      await send('PATCH', '/things/1', { name: 'x' })
      await send('GET', '/things/1')
      await send('DELETE', '/things/1')
      expect(warnings.map((line) => /permission (\w+)/.exec(line)?.[1])).toEqual(['create', 'update'])
    })
  })
})
