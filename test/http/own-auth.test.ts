import type { FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { HttpError, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { type Hooked, startThings, type ThingHooks } from './hooked.ts'
import { startError } from './start-error.ts'

const byHeader = {
  authenticate: (request: unknown) => {
    const user = (request as FastifyRequest).headers['x-user']
    return typeof user === 'string' ? { id: user, claims: { role: 'reader' } } : null
  },
}

const requests = [
  ['GET', '/things/', undefined],
  ['GET', '/things/1', undefined],
  ['POST', '/things/', { name: 'x' }],
  ['PATCH', '/things/1', { name: 'y' }],
  ['PUT', '/things/1', { name: 'z' }],
  ['DELETE', '/things/1', undefined],
] as const

describe('with a way of their own to a user', () => {
  const start = startThings
  let service: Hooked | undefined
  afterEach(() => service?.stop())

  const serve = async (hooks: ThingHooks = {}, options: Partial<ModelRestOptions> = {}): Promise<Hooked> => {
    service = await start(hooks, { auth: byHeader, ...options })
    await service.execute(`insert into things (name) values ('first')`)
    return service
  }

  it('applications protect everything: 401 for the anonymous, and the document says so', async () => {
    const { send, rest, names } = await serve()
    for (const [method, path, body] of requests) {
      const reply = await send(method, path, body)
      expect([method, reply.status, reply.json['code']]).toEqual([method, 401, 'unauthenticated'])
      expect(reply.headers['www-authenticate']).toBe('Bearer')
    }
    expect(await names()).toEqual(['first'])
    expect((await send('GET', '/openapi.json')).status).toBe(200)
    expect((await send('GET', '/docs')).status).toBe(200)
    const document = rest.openapi()
    expect(document.components.securitySchemes).toEqual({ caller: { type: 'http', scheme: 'bearer' } })
    expect(document.paths['/things/']?.get).toMatchObject({ security: [{ caller: [] }] })
    expect(document.paths['/things/']?.get).toHaveProperty(['responses', '401'])
  })

  it('serve whoever is known, in replies that no cache shares', async () => {
    const { send } = await serve()
    for (const [method, path, body] of requests) {
      const reply = await send(method, path, body, 'ada')
      expect([method, reply.status]).toEqual([method, { POST: 201, DELETE: 204 }[method as string] ?? 200])
      expect(reply.headers['cache-control']).toBe('private')
    }
    const missing = await send('GET', '/things/99', undefined, 'ada')
    expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'private'])
  })

  it('tell hooks and scopes who it is', async () => {
    const seen: unknown[] = []
    const { send } = await serve({
      scope: (_request, { caller }) => (caller?.id === 'ada' ? {} : []),
      beforeCreate: (request, _payload, _schema, { caller }) => {
        seen.push(caller, Reflect.get(request, 'user'))
      },
    })
    expect((await send('GET', '/things/', undefined, 'ada')).json['count']).toBe(1)
    expect((await send('GET', '/things/', undefined, 'bob')).json['count']).toBe(0)
    await send('POST', '/things/', { name: 'x' }, 'ada')
    const ada = { id: 'ada', claims: { role: 'reader' } }
    expect(seen).toEqual([ada, ada])
  })

  it('may open a model, or its lists and details', async () => {
    const { send, rest, stop } = await serve({}, { modelConfig: { Thing: { public: 'read' } } })
    const statuses = async () => {
      const replies: number[] = []
      for (const [method, path, body] of requests) replies.push((await send(method, path, body)).status)
      return replies
    }
    expect(await statuses()).toEqual([200, 200, 401, 401, 401, 401])
    expect(rest.openapi().paths['/things/']?.get).toMatchObject({ security: [] })
    await stop()
    const opened = await serve({}, { modelConfig: { Thing: { public: true } } })
    for (const [method, path, body] of requests) {
      expect((await opened.send(method, path, body)).status).toBeLessThan(300)
    }
  })

  it('may decide each act by permissions: 403 for those who are known, 401 for the anonymous', async () => {
    const { send, names, rest } = await serve({
      permissions: {
        read: 'public',
        create: (_request, record, { caller }) => record === undefined && caller?.id === 'ada',
        update: (_request, record, { caller }) => record?.['name'] === caller?.id,
      },
    })
    expect((await send('GET', '/things/')).status).toBe(200)
    expect((await send('POST', '/things/', { name: 'ada' })).status).toBe(401)
    expect((await send('POST', '/things/', { name: 'ada' }, 'bob')).status).toBe(403)
    expect((await send('POST', '/things/', { name: 'ada' }, 'ada')).status).toBe(201)
    expect((await send('PATCH', '/things/1', { slug: 'x' }, 'ada')).status).toBe(403)
    expect((await send('PATCH', '/things/2', {}, 'bob')).status).toBe(403)
    expect((await send('PATCH', '/things/2', { name: 'eve' })).status).toBe(401)
    expect((await send('PUT', '/things/2', { name: 'ada' }, 'ada')).status).toBe(200)
    expect((await send('PATCH', '/things/9', {}, 'ada')).status).toBe(404)
    expect((await send('DELETE', '/things/2')).status).toBe(401)
    expect(await names()).toEqual(['first', 'ada'])
    const decided = rest.openapi().paths['/things/{id}']?.patch
    expect(decided).toMatchObject({ security: [{ caller: [] }, {}] })
    expect(decided).toHaveProperty(['responses', '403'])
  })

  it('do not tell anonymous callers which records exist, unless they may read them', async () => {
    const update: ThingHooks['permissions'] = { update: () => false, delete: () => false }
    const statuses = async (permissions: ThingHooks['permissions']) => {
      const { send, stop } = await serve({ permissions: { ...update, ...permissions } })
      const found: number[] = []
      for (const path of ['/things/1', '/things/9'])
        for (const method of ['PATCH', 'PUT', 'DELETE'])
          found.push((await send(method, path, method === 'DELETE' ? undefined : { name: 'x' })).status)
      found.push((await send('DELETE', '/things/9', undefined, 'ada')).status)
      await stop()
      service = undefined
      return found
    }
    expect(await statuses({})).toEqual([401, 401, 401, 401, 401, 401, 404])
    expect(await statuses({ read: 'public' })).toEqual([401, 401, 401, 404, 404, 404, 404])
  })

  it('refuse with nothing but true, and fail closed', async () => {
    let answer: unknown = 'yes'
    const { send, log } = await serve({ permissions: { read: () => answer as boolean } })
    expect((await send('GET', '/things/', undefined, 'ada')).status).toBe(403)
    answer = undefined
    expect((await send('GET', '/things/1', undefined, 'ada')).status).toBe(403)
    await service?.stop()
    const failing = await serve(
      {},
      {
        auth: {
          authenticate: () => {
            throw new Error('the directory is away')
          },
        },
      },
    )
    const reply = await failing.send('GET', '/things/', undefined, 'ada')
    expect([reply.status, JSON.stringify(reply.json).includes('directory')]).toEqual([500, false])
    expect(failing.log.join()).toContain('the directory is away')
    expect(log).toEqual([])
    await failing.stop()
    for (const given of ['ada', {}, { id: null }, 7]) {
      const strange = await serve({}, { auth: { authenticate: () => given as never } })
      expect((await strange.send('GET', '/things/')).status).toBe(500)
      await strange.stop()
    }
    const refusing = await serve(
      {},
      {
        auth: {
          authenticate: async () => {
            throw new HttpError(429, 'Slowly.')
          },
        },
      },
    )
    expect((await refusing.send('GET', '/things/')).status).toBe(429)
  })

  it('ask a permission again where the record changed meanwhile', async () => {
    const asked: unknown[] = []
    const { send, execute } = await serve({
      permissions: {
        update: (_request, record) => {
          asked.push(record?.['name'])
          return record?.['name'] === 'first'
        },
      },
      beforeUpdate: async () => {
        if (asked.length === 1) await execute(`update things set name = 'changed' where id = 1`)
      },
    })
    expect((await send('PATCH', '/things/1', { slug: null }, 'ada')).status).toBe(422)
    asked.length = 0
    expect((await send('PATCH', '/things/1', { name: 'mine' }, 'ada')).status).toBe(403)
    expect(asked).toEqual(['first', 'changed'])
  })
})

/** As the records of some ORMs are: their fields stand in the class. */
class Member {
  get id(): string {
    return 'ada'
  }
}

describe('what authenticate gives', () => {
  const start = startThings
  const callers: unknown[] = []
  const asked = async (given: unknown): Promise<number> => {
    const scope = (_request: unknown, { caller }: { caller: unknown }) => {
      callers.push(caller)
      return {}
    }
    const service = await start({ scope } as ThingHooks, { auth: { authenticate: () => given as never } })
    const { status } = await service.send('GET', '/things/')
    await service.stop()
    return status
  }

  it('checklist 33: may be a record whose id stands in its class', async () => {
    expect(await asked(new Member())).toBe(200)
    expect(callers.at(-1)).toMatchObject({ id: 'ada', claims: {} })
  })

  it.each([[{}], [{ id: '' }], [{ id: Number.NaN }], [{ id: false }], [{ id: undefined }], ['ada']])(
    'checklist 33: is no user as %o: an opaque 500',
    async (given) => {
      expect(await asked(given)).toBe(500)
    },
  )
})

describe('a body that nobody may send', () => {
  it('is not read', async () => {
    const start = startThings
    const service = await start({}, { auth: byHeader })
    const reply = await service.send('POST', '/things/', { nonsense: true })
    expect(reply.status).toBe(401)
    await service.stop()
  })
})

describe('start-up refuses', () => {
  const start = startThings

  it.each([
    [{ auth: true }, ['auth: true', 'usersTable', 'authUserModel']],
    [{ auth: 'jwt' as never }, ['auth', 'true', 'false', '{ authenticate:']],
    [{ auth: { ...byHeader, sheme: {} } as never }, ['auth', 'sheme', 'scheme']],
    [
      { modelConfig: { Thing: { public: 'write' as never } } },
      ['modelConfig.Thing.public', 'true', 'false', "'read'"],
    ],
  ] satisfies [Partial<ModelRestOptions>, string[]][])('%o', async (options, names) => {
    await expect(start({}, options)).rejects.toThrow(startError(...names))
  })

  it.each([
    [{ raed: 'public' }, ['permissions', 'raed', 'read']],
    [
      { read: 'everybody' },
      ['permissions.read', "'public'", "'authenticated'", '(request, record) => boolean'],
    ],
    ['public', ['permissions', "{ read: 'public', delete: 'authenticated' }"]],
    [{ read: 'authenticated' }, ['permissions.read', "'authenticated'", 'auth: { authenticate:']],
  ])('permissions %o', async (permissions, names) => {
    await expect(start({ permissions } as never)).rejects.toThrow(startError(...names))
  })
})

describe('synchronous operation', () => {
  it('waits for authentication alone', async () => {
    const start = startThings
    const service = await start(
      { permissions: { delete: async () => true } },
      { auth: { authenticate: async (request) => byHeader.authenticate(request) }, isAsync: false },
    )
    expect((await service.send('GET', '/things/', undefined, 'ada')).status).toBe(200)
    expect((await service.send('GET', '/things/')).status).toBe(401)
    expect((await service.send('POST', '/things/', { name: 'x' }, 'ada')).status).toBe(201)
    expect((await service.send('DELETE', '/things/1', undefined, 'ada')).status).toBe(500)
    expect(service.log.join()).toMatch(naming('DELETE', '/things/1', 'isAsync'))
    await service.stop()
  })
})
