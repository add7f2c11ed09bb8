import { describe, expect, it, vi } from 'vitest'
import { fetchApp } from '../../src/entry/fetch.ts'
import type { HealthOptions } from '../../src/index.ts'
import { ModelRest } from '../../src/index.ts'
import { SourceError } from '../../src/source/source.ts'
import { naming } from '../naming.ts'
import { openModels, startService } from './service.ts'
import { startError } from './start-error.ts'

describe('health', () => {
  const start = startService
  const served = async (
    health: boolean | HealthOptions,
    use: (service: Awaited<ReturnType<typeof start>>) => Promise<void>,
  ): Promise<void> => {
    const service = await start({ health })
    await use(service)
    await service.stop()
  }

  it('says that the process lives, and that it is ready', () =>
    served(true, async ({ send }) => {
      const live = await send('GET', '/api/health/live')
      expect([live.status, live.json]).toEqual([200, { live: true }])
      const ready = await send('GET', '/api/health/ready')
      expect([ready.status, ready.json]).toEqual([200, { ready: true, checks: { database: 'ok' } }])
      for (const { headers } of [live, ready])
        expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    }))

  it('answers HEAD without a body, a slash at the end, whatever is asked, and no other method', () =>
    served(true, async ({ send }) => {
      const head = await send('HEAD', '/api/health/ready')
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers['cache-control']).toBe('no-store')
      expect(await send('GET', '/api/health/live/')).toMatchObject({ status: 200 })
      expect(await send('GET', '/api/health/ready?at=1&x')).toMatchObject({ status: 200 })
      expect(await send('GET', '/api/health/ready', { headers: { accept: 'text/html' } })).toMatchObject({
        status: 200,
      })
      const post = await send('POST', '/api/health/ready', { body: {} })
      expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
    }))

  it('is not ready without its database, and lives', () =>
    served(true, async ({ send, database }) => {
      database.close()
      const ready = await send('GET', '/api/health/ready')
      expect(ready.status).toBe(503)
      expect(ready.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'retry-after': '5',
      })
      expect(ready.json).toEqual({
        type: 'urn:modelrest:problem:unavailable',
        title: expect.any(String),
        status: 503,
        detail: expect.stringMatching(naming('database')),
        instance: '/api/health/ready',
        code: 'unavailable',
        request_id: expect.any(String),
        ready: false,
        checks: { database: 'failed' },
      })
      expect(await send('HEAD', '/api/health/ready')).toMatchObject({ status: 503, text: '' })
      expect(await send('GET', '/api/health/live')).toMatchObject({ status: 200 })
    }))

  it('makes checks of the application, too, and tells nothing of how they fail', () =>
    served(
      {
        checks: {
          sync: () => undefined,
          later: async () => 'fine',
          thrown: () => {
            throw new Error('secret.internal:9200 refused')
          },
          rejected: () => Promise.reject(new Error('secret.internal:9200 refused')),
        },
      },
      async ({ send }) => {
        const { status, text, json } = await send('GET', '/api/health/ready')
        expect(status).toBe(503)
        expect(json).toMatchObject({
          code: 'unavailable',
          detail: expect.stringMatching(naming('thrown', 'rejected')),
          checks: { database: 'ok', sync: 'ok', later: 'ok', thrown: 'failed', rejected: 'failed' },
        })
        expect(json['detail']).not.toMatch(/\b(database|sync|later)\b/)
        expect(text).not.toMatch(/secret|9200|refused/)
      },
    ))

  it('waits for a check as long as it is told, and lets all who ask at the same time share it', async () => {
    let calls = 0
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const search = (): Promise<void> => {
      calls += 1
      return released
    }
    const never = (): Promise<void> => {
      calls += 1
      return new Promise(() => undefined)
    }
    await served({ timeout: 60_000, checks: { search } }, async ({ send }) => {
      const asked = Array.from({ length: 20 }, () => send('GET', '/api/health/ready'))
      // A request that comes after them is answered after they have come.
      await expect.poll(() => calls).toBe(1)
      await send('GET', '/api/health/live')
      release()
      for (const reply of await Promise.all(asked)) expect(reply.status).toBe(200)
      expect(calls).toBeLessThan(20)
    })
    calls = 0
    await served({ timeout: 200, checks: { search: never } }, async ({ send }) => {
      for (let times = 0; times < 5; times += 1)
        expect(await send('GET', '/api/health/ready')).toMatchObject({
          status: 503,
          json: {
            detail: expect.stringMatching(naming('search')),
            checks: { database: 'ok', search: 'timeout' },
          },
        })
      // What hangs is not asked again and again.
      expect(calls).toBe(2)
    })
  })

  it('asks again what has hung for ten times as long as it may take', async () => {
    let calls = 0
    const search = (): Promise<void> => {
      calls += 1
      return calls > 2 ? Promise.resolve() : new Promise(() => undefined)
    }
    await served({ timeout: 5, checks: { search } }, async ({ send }) => {
      const ready = async () => (await send('GET', '/api/health/ready')).status
      expect([await ready(), await ready()]).toEqual([503, 503])
      await expect.poll(ready).toBe(200)
    })
  })

  it('is served where it is told to be, and not at all unless it is', async () => {
    await served({ path: 'internal/status' }, async ({ send }) => {
      expect(await send('GET', '/api/internal/status/live')).toMatchObject({ status: 200 })
      expect(await send('GET', '/api/health/live')).toMatchObject({ status: 404 })
    })
    await served(false, async ({ send }) => {
      expect(await send('GET', '/api/health/live')).toMatchObject({ status: 404 })
    })
  })

  it('asks nobody who they are', async () => {
    const service = await start({ health: true, auth: { authenticate: () => null } })
    expect(await service.send('GET', '/api/products/')).toMatchObject({ status: 401 })
    expect(await service.send('GET', '/api/health/ready')).toMatchObject({ status: 200 })
    await service.stop()
  })
})

describe('the option health', () => {
  const rested = (health: unknown, more: object = {}): ModelRest => {
    const { models, close } = openModels()
    close()
    return new ModelRest(fetchApp({ base: '/api' }), { models, health, ...more } as never)
  }

  it.each([
    ['on', ['health', 'true', 'false', 'health: { checks: {']],
    [{ paths: 'x' }, ['health', 'paths', 'path']],
    [{ path: '/health' }, ['health.path', 'internal/health']],
    [{ path: 'a b' }, ['health.path', 'internal/health']],
    [{ timeout: 0 }, ['health.timeout', 1, 60000]],
    [{ timeout: 1e9 }, ['health.timeout', 1, 60000]],
    [{ checks: [] }, ['health.checks', 'health: { checks: {']],
    [{ checks: { search: true } }, ['health.checks.search']],
    [{ checks: { cache: () => undefined } }, ['health.checks.cache']],
  ])('refuses %j', (health, names) => {
    expect(() => rested(health)).toThrow(startError(...names))
  })

  it.each([
    [{ path: 'products' }, ['Product', 'health', '/products']],
    [{ path: 'docs' }, ['health.path', '/docs']],
    [{ path: 'auth/health' }, ['health.path', '/auth']],
  ])('cannot be %j', async (health, names) => {
    await expect(rested(health).init()).rejects.toThrow(startError(...names))
  })

  it('cannot stand where the application serves something', async () => {
    const { models, close } = openModels()
    const app = fetchApp()
    await new ModelRest(app, { models, health: true, exclude: { app: true } }).init()
    await expect(new ModelRest(app, { models, health: true }).init()).rejects.toThrow(
      startError('GET', '/health/live', 'health: { path:'),
    )
    close()
  })

  it('stands in no document, and among no operations', async () => {
    const { models, close } = openModels()
    const rest = new ModelRest(fetchApp(), { models, health: true })
    await rest.init()
    expect(JSON.stringify([rest.openapi(), rest.operations])).not.toContain('health')
    close()
  })

  it('looks once for tables and columns that could not be checked at start', async () => {
    const { models, client, close } = openModels()
    client.exec('drop view live_products; alter table notes drop column body')
    let isAway = true
    let looks = 0
    const missing: NonNullable<typeof models.missing> = (those) => {
      looks += 1
      if (isAway) throw new SourceError('unavailable')
      return models.missing?.(those) ?? []
    }
    const app = fetchApp()
    const exclude = { app: ['LiveProduct'] }
    await new ModelRest(app, { models: { ...models, missing }, health: true, exclude }).init()
    const ready = async () => (await app.fetch(new Request('http://localhost/health/ready'))).status
    expect(await ready()).toBe(503)
    isAway = false
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect([await ready(), await ready()]).toEqual([503, 503])
    const lines = write.mock.calls.map(([line]) => String(line))
    write.mockRestore()
    expect(lines).toEqual([expect.stringMatching(naming('database', 'notes', 'body'))])
    client.exec(`alter table notes add column body text not null default ''`)
    expect([await ready(), await ready(), looks]).toEqual([200, 200, 5])
    close()
  })

  it('is 503 from the moment that close() is called, and everything else is served', async () => {
    const { models, close } = openModels()
    const app = fetchApp()
    const rest = new ModelRest(app, { models, health: true })
    await rest.init()
    const get = (path: string) => app.fetch(new Request(`http://localhost${path}`))
    expect((await get('/health/ready')).status).toBe(200)
    const closed = rest.close()
    const reply = await get('/health/ready')
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('cache-control')]).toEqual([
      ...[503, '5', 'no-store'],
    ])
    expect(await reply.json()).toMatchObject({ status: 503, code: 'unavailable', ready: false })
    expect((await get('/health/live')).status).toBe(200)
    expect((await get('/products/')).status).toBe(200)
    await closed
    close()
  })
})
