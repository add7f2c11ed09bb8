import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { StartError } from '../../src/error/errors.ts'
import { describeServices, registered, startFastify } from '../stage/auth-service.ts'

const documentation = ['/api/openapi.json', '/api/openapi.json/', '/api/docs', '/api/docs/']
const openapi = { title: 'Secret plans', public: false }

describeServices('a document that is not public', (serve) => {
  test.each(documentation)('is not read by the anonymous: %s', async (path) => {
    const { send } = await serve({}, { openapi })
    const refused = await send('GET', path)
    expect([refused.status, refused.json['code'], refused.headers['www-authenticate']]).toEqual([
      ...[401, 'unauthenticated', 'Bearer'],
    ])
    expect(refused.text).not.toContain('Secret plans')
    expect((await send('GET', path, { token: 'a.b.c' })).status).toBe(401)
    expect((await send('GET', path, { headers: { 'if-none-match': '*' } })).status).toBe(401)
  })

  test.each(documentation)('is read by users, and kept by no shared cache: %s', async (path) => {
    const service = await serve({}, { openapi })
    const { access } = await registered(service)
    for (const sent of [{ token: access }, { cookies: { service_access_token: access } }]) {
      const read = await service.send('GET', path, sent)
      expect([read.status, read.headers['cache-control']]).toEqual([200, 'private, no-cache'])
      expect(read.text).toContain('Secret plans')
    }
  })

  test('is public unless it says so, as are the files of the page', async () => {
    const open = await serve()
    for (const path of documentation) expect((await open.send('GET', path)).status).toBe(200)
    const closed = await serve({}, { openapi })
    expect((await closed.send('GET', '/api/docs/swagger-ui.css')).status).toBe(200)
  })
})

test('without authentication there is no one to show it to', async () => {
  await expect(startFastify({ auth: false, openapi })).rejects.toThrow(StartError)
})

describe('routes of the host', () => {
  test('outside of the base are not told to the world', async () => {
    const app = Fastify()
    app.get('/internal/before', async () => 1)
    await app.register(
      async (api) => {
        const { default: Database } = await import('better-sqlite3')
        const { drizzle } = await import('drizzle-orm/better-sqlite3')
        const models = drizzleModels(drizzle(new Database(':memory:')), {})
        await new ModelRest(api, { models, controllers: [] }).init()
        api.get('/hello', async () => 1)
      },
      { prefix: '/api' },
    )
    app.get('/internal/after', async () => 1)
    const { body } = await app.inject('/api/openapi.json')
    expect(Object.keys(JSON.parse(body).paths)).toEqual(['/access', '/hello'])
    await app.close()
  })
})
