import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type Hooked, startThings, type ThingHooks } from '../http/hooked.ts'
import type { Answer } from '../stage/requests.ts'
import { inTest } from '../stage/service.ts'

const byHeader = {
  authenticate: (request: unknown) => {
    const user = (request as FastifyRequest).headers['x-user']
    return typeof user === 'string' ? { id: user, claims: {} } : null
  },
}

/** Everybody may write; Ada may read what is hers. */
const permissions: NonNullable<ThingHooks['permissions']> = {
  read: (_request, record, { caller }) => caller?.id === 'ada' && record?.['name'] !== 'secret',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
}

describe('who may write a record and not read it', () => {
  const start = startThings
  const serve = async (hooks: ThingHooks = { permissions }): Promise<Hooked> => {
    const service = await inTest(start(hooks, { auth: byHeader }))
    await service.execute(`insert into things (name, slug) values ('secret', 'a-slug')`)
    return service
  }
  const shown = ({ status, json, headers }: Answer) => [
    status,
    json,
    headers['content-type'],
    headers['location'],
  ]

  it('gets nothing of it back', async () => {
    const { send, names } = await serve()
    expect((await send('GET', '/things/1', undefined, 'bob')).status).toBe(403)
    for (const [method, body] of [
      ['PATCH', {}],
      ['PATCH', { name: 'other' }],
      ['PUT', { name: 'another' }],
      ['PUT', { name: 'another', id: 1 }],
    ] as const)
      expect(shown(await send(method, '/things/1', body, 'bob'))).toEqual([204, {}, undefined, undefined])
    expect(await names()).toEqual(['another'])
    const created = await send('POST', '/things/', { name: 'of bob' }, 'bob')
    expect(shown(created)).toEqual([204, {}, undefined, '/things/2'])
    expect((await send('DELETE', '/things/2', undefined, 'bob')).status).toBe(204)
  })

  it('gets it where they may read what it has become', async () => {
    const { send } = await serve()
    expect((await send('PATCH', '/things/1', {}, 'ada')).status).toBe(204)
    const opened = await send('PATCH', '/things/1', { name: 'open' }, 'ada')
    expect([opened.status, opened.json]).toEqual([200, { id: 1, name: 'open', slug: 'a-slug' }])
    expect((await send('PUT', '/things/1', { name: 'secret' }, 'ada')).status).toBe(204)
    expect((await send('POST', '/things/', { name: 'x' }, 'ada')).status).toBe(201)
  })

  it('learns no read-only value by trying', async () => {
    const { send } = await serve()
    const tried = async (slug: string) => {
      const { status, json } = await send('PUT', '/things/1', { name: 'secret', slug }, 'bob')
      const { request_id: _, ...problem } = json
      return { status, problem }
    }
    const right = await tried('a-slug')
    expect(right.status).toBe(422)
    expect(await tried('x')).toEqual(right)
    await send('PATCH', '/things/1', { name: 'open' }, 'ada')
    const sentBack = await send('PUT', '/things/1', { name: 'open', slug: 'a-slug' }, 'ada')
    expect(sentBack.status).toBe(200)
  })

  it('learns no value by the tag of a guess, whatever the body', async () => {
    const { send } = await serve()
    await send('PATCH', '/things/1', { name: 'open' }, 'ada')
    const right = String((await send('GET', '/things/1', undefined, 'ada')).headers['etag'])
    for (const body of [{}, { name: 7 }, { name: 'other' }, { name: 'other', slug: 'x' }]) {
      const guessed = async (tag: string) => {
        const { status, json } = await send('PUT', '/things/1', body, 'bob', { 'if-match': tag })
        return [status, json['code'], json['errors']]
      }
      expect(await guessed(right)).toEqual([412, 'precondition_failed', undefined])
      expect(await guessed('"x"')).toEqual(await guessed(right))
    }
  })

  it('gets nothing of what an after-hook shows in its place', async () => {
    const { send } = await serve({
      permissions,
      afterCreate: (_request, record) => ({ ...record, note: 'created' }),
      afterUpdate: (_request, record) => ({ ...record, note: 'changed' }),
    })
    expect(shown(await send('PATCH', '/things/1', {}, 'bob'))).toEqual([204, {}, undefined, undefined])
    const created = await send('POST', '/things/', { name: 'x' }, 'bob')
    expect(shown(created)).toEqual([204, {}, undefined, '/things/2'])
    expect((await send('PATCH', '/things/1', { name: 'open' }, 'ada')).json).toMatchObject({
      note: 'changed',
    })
  })

  it('counts as refused where the permission fails, since the write is stored', async () => {
    const { send, names, log } = await serve({
      permissions: {
        ...permissions,
        read: () => {
          throw new Error('the directory is away')
        },
      },
    })
    expect((await send('PATCH', '/things/1', { name: 'stored' }, 'bob')).status).toBe(204)
    expect((await send('POST', '/things/', { name: 'x' }, 'bob')).status).toBe(204)
    expect(await names()).toEqual(['stored', 'x'])
    expect(log.join()).toContain('the directory is away')
  })

  it('may be somebody anonymous where reading wants somebody known', async () => {
    const { send, rest } = await serve({
      permissions: { read: 'authenticated', update: 'public', create: 'public', delete: 'public' },
    })
    expect(shown(await send('PATCH', '/things/1', {}))).toEqual([204, {}, undefined, undefined])
    expect((await send('PATCH', '/things/1', {}, 'bob')).status).toBe(200)
    expect(rest.openapi().paths['/things/{id}']?.patch).toHaveProperty(['responses', '204'])
  })

  it('is told in the document that either may come, and nobody else is', async () => {
    const statuses = ({ rest }: Hooked) => {
      const { '/things/': all, '/things/{id}': one } = rest.openapi().paths
      return [all?.post, one?.patch, one?.put].map((operation) =>
        Object.keys(Object(Reflect.get(Object(operation), 'responses'))).filter((status) => status < '300'),
      )
    }
    const service = await serve()
    const either = [
      ['201', '204'],
      ['200', '204'],
      ['200', '204'],
    ]
    expect(statuses(service).map((each) => each.sort())).toEqual(either)
    const { post } = service.rest.openapi().paths['/things/'] ?? {}
    expect(post).toHaveProperty(['responses', '204', 'headers', 'Location', 'required'], true)
    expect(post).not.toHaveProperty(['responses', '204', 'content'])
    await service.stop()
    for (const open of [{}, { permissions: { read: 'public', update: () => true } as const }])
      expect(statuses(await serve(open))).toEqual([['201'], ['200'], ['200']])
  })
})
