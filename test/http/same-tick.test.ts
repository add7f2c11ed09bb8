import { drizzle as overProxy } from 'drizzle-orm/sqlite-proxy'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HookName } from '../../src/controller/controller.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { type FastifyApp, ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { serveWith } from '../../src/host/serve.ts'
import type { Call } from '../../src/operation/call.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { runSync } from '../../src/operation/steps.ts'
import { naming } from '../naming.ts'
import { type Case, cases } from './scope/cases.ts'
import {
  type AnyHooks,
  type HooksByModel,
  onFastify,
  optionsWith,
  refill,
  sqliteWorld,
  tenantScopes,
  type World,
} from './scope/stage.ts'
import { tables } from './scope/tables.ts'
import { startError } from './start-error.ts'

const names: readonly HookName[] = [
  ...(['beforeList', 'afterList', 'beforeCreate', 'afterCreate', 'beforeUpdate', 'afterUpdate'] as const),
  ...(['beforeDelete', 'afterDelete'] as const),
]

/** Every hook, none of which waits, and what they saw. */
const withAllHooks = (hooks: HooksByModel, seen: unknown[] = [], all = names): HooksByModel =>
  Object.fromEntries(
    Object.entries(hooks).map(([model, own]) => [
      model,
      {
        ...own,
        ...Object.fromEntries(
          all
            .filter((name) => model !== 'AccountName' || name.endsWith('List'))
            .map((name) => [
              name,
              (...given: readonly unknown[]) => {
                seen.push([model, name, given.at(-1)])
              },
            ]),
        ),
      },
    ]),
  )

const callOf = (operation: Operation, { method, path, body }: Case): Call => {
  const [place = '', query = ''] = path.split('?')
  const id = place.split('/')[2] ?? ''
  const headers: Record<string, string> = {
    'x-tenant': '1',
    ...(body !== undefined && { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
  }
  return {
    ...{
      method,
      path: place,
      query,
      requestId: '1',
      scheme: 'http',
      request: { headers },
      address: undefined,
    },
    params: operation.path.includes('{id}') ? { id } : {},
    header: (name) => headers[name],
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  }
}

/** Not a promise of the language's own: anything with a `then` can be waited for. */
class Thenable {
  // biome-ignore lint/suspicious/noThenProperty: this is what it is for
  get then() {
    return (_done: unknown, failed: (error: Error) => void) => failed(new Error('later'))
  }
}

const bytesOf = ({ body }: Case): Uint8Array =>
  body === undefined
    ? new Uint8Array()
    : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))

describe('with isAsync: false', () => {
  let world: World
  beforeEach(async () => {
    world = await sqliteWorld()
    await refill(world, [1, 2])
    await world.run(['insert into entries (id, account_id, order_id) values (1, 101, 101)'])
  })
  afterEach(() => world.close())

  it('every operation has its reply when its run comes back, hooks and transactions among it', async () => {
    const seen: unknown[] = []
    // Before this one a record is looked for first, so that a 422 becomes a 404. The hosts below run it.
    const all = names.filter((name) => name !== 'beforeUpdate')
    const rest = new FetchModelRest(fetchApp(), {
      models: world.models,
      isAsync: false,
      ...optionsWith(withAllHooks(tenantScopes, seen, all), {}),
    })
    await rest.registerAllModels()
    const serve = serveWith(runSync)
    for (const operation of rest.operations) {
      const own = (cases[operation.id] ?? []).filter(
        ({ paging = 'limit-offset' }) => paging === 'limit-offset',
      )
      expect(own.length).toBeGreaterThan(0)
      for (const asked of own) {
        await refill(world, [1, 2])
        await world.run(['insert into entries (id, account_id, order_id) values (1, 101, 101)'])
        const started = serve.start(operation, callOf(operation, asked))
        const reached =
          'wants' in started && started.wants === 'bytes' ? started.resume(bytesOf(asked)) : started
        expect([asked, reached]).toMatchObject([asked, { reply: { status: asked.status } }])
      }
    }
    const contexts = seen.map((each) => (each as [string, HookName, { user(): unknown; caller: unknown }])[2])
    expect(new Set(seen.map((each) => (each as [string, string])[1]))).toEqual(new Set(all))
    expect(new Set(contexts.map((context) => context.user()))).toEqual(new Set([null]))
    expect(new Set(contexts.map((context) => context.caller))).toEqual(new Set([null]))
  })

  describe('a host replies before anything else runs', () => {
    /** What ran between the first thing that a request does with its body, or its scope, and its reply. */
    const between: { begin(): void; end(): void; readonly replies: string[] } = {
      begin: () => {
        const ran: string[] = []
        queueMicrotask(() => ran.push('microtask'))
        process.nextTick(() => ran.push('tick'))
        setImmediate(() => ran.push('immediate'))
        since = ran
      },
      end: () => {
        if (since !== undefined) between.replies.push(since.join(' ') || 'nothing')
        since = undefined
      },
      replies: [],
    }
    let since: readonly string[] | undefined
    beforeEach(() => {
      between.replies.length = 0
      since = undefined
    })
    afterEach(() => vi.restoreAllMocks())

    const beginning = (hooks: HooksByModel): HooksByModel => ({
      ...hooks,
      Account: {
        ...hooks['Account'],
        scope: () => {
          between.begin()
          return { tenantId: 1 }
        },
      },
    })
    /** Reading the text of a body is the first thing that is done with it. */
    const beginWithBody = (): void => {
      const { decode } = TextDecoder.prototype
      vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, ...given) {
        between.begin()
        return decode.apply(this, given)
      })
    }
    const requests = [
      ['GET', '/accounts/?sort=name&search=a', undefined],
      ['GET', '/accounts/?limit=1&count=estimated', undefined],
      ['GET', '/accounts/101', undefined],
      ['GET', '/accounts/201', undefined],
      ['POST', '/accounts/', { name: 'new', parentId: 101 }],
      ['POST', '/accounts/', { name: 'new', parentId: 999 }],
      ['PATCH', '/accounts/101', { name: 'other' }],
      ['PATCH', '/accounts/101', { tenantId: 2 }],
      ['PUT', '/accounts/101', { name: 'other' }],
      ['DELETE', '/accounts/103', undefined],
      ['DELETE', '/accounts/101', undefined],
    ] as const
    const expected = ['200', '200', '200', '404', '201', '422', '200', '403', '200', '204', '409']

    it('on Fastify', async () => {
      const app = Fastify()
      app.addHook('onSend', (_request, _reply, _payload, done) => {
        between.end()
        done()
      })
      await new FastifyModelRest(app as unknown as FastifyApp, {
        models: world.models,
        isAsync: false,
        ...optionsWith(beginning(withAllHooks(tenantScopes)), {}),
      }).registerAllModels()
      const statuses: string[] = []
      for (const [method, url, body] of requests) {
        if (body !== undefined) beginWithBody()
        const reply = await app.inject({ method, url, ...(body && { body }) })
        vi.restoreAllMocks()
        statuses.push(String(reply.statusCode))
      }
      await app.close()
      expect(statuses).toEqual(expected)
      expect(between.replies).toEqual(requests.map(() => 'nothing'))
    })

    it('on fetch', async () => {
      const app = fetchApp()
      await new FetchModelRest(app, {
        models: world.models,
        isAsync: false,
        ...optionsWith(beginning(withAllHooks(tenantScopes)), {}),
      }).registerAllModels()
      vi.stubGlobal(
        'Response',
        class extends Response {
          constructor(...given: ConstructorParameters<typeof Response>) {
            super(...given)
            between.end()
          }
        },
      )
      const statuses: string[] = []
      for (const [method, path, body] of requests) {
        if (body !== undefined) beginWithBody()
        const init = { method, headers: { 'content-type': 'application/json' } }
        const request = new Request(
          `http://localhost${path}`,
          body === undefined ? { method } : { ...init, body: JSON.stringify(body) },
        )
        const reply = await app.fetch(request)
        vi.restoreAllMocks()
        statuses.push(String(reply.status))
      }
      vi.unstubAllGlobals()
      expect(statuses).toEqual(expected)
      expect(between.replies).toEqual(requests.map(() => 'nothing'))
    })
  })

  describe('start-up refuses', () => {
    const startWith = (options: object, models = world.models) =>
      (async () =>
        new FetchModelRest(fetchApp(), { models, isAsync: false, ...options }).registerAllModels())()

    it('a source that cannot be synchronous', async () => {
      const asynchronous = drizzleModels(
        overProxy(async () => ({ rows: [] })),
        tables.sqlite,
      )
      await expect(startWith({}, asynchronous as typeof world.models)).rejects.toThrow(
        startError('isAsync: false', 'better-sqlite3'),
      )
    })

    it.each([...names, 'scope'] as const)('an async %s', async (name) => {
      const hooks = { Account: { [name]: async () => ({}) } } as HooksByModel
      await expect(startWith(optionsWith(hooks, {}))).rejects.toThrow(
        startError('controllers[0]', name, 'isAsync'),
      )
    })
  })

  describe('a hook that gives a promise all the same', () => {
    const requests: Readonly<Record<string, readonly [string, string, unknown?]>> = {
      beforeList: ['GET', '/accounts/'],
      afterList: ['GET', '/accounts/'],
      beforeCreate: ['POST', '/accounts/', { tenantId: 1, name: 'new' }],
      afterCreate: ['POST', '/accounts/', { tenantId: 1, name: 'new' }],
      beforeUpdate: ['PATCH', '/accounts/101', { name: 'new' }],
      afterUpdate: ['PUT', '/accounts/101', { tenantId: 1, name: 'new' }],
      beforeDelete: ['DELETE', '/accounts/103'],
      afterDelete: ['DELETE', '/accounts/103'],
      scope: ['GET', '/accounts/101'],
      'scope of a foreign key': ['POST', '/entries/', { accountId: 101 }],
    }
    const promises: readonly (readonly [string, () => unknown])[] = [
      ['that is kept', () => Promise.resolve({})],
      ['that is broken', () => Promise.reject(new Error('later'))],
      ['of another kind', () => new Thenable()],
    ]
    it.each(
      Object.keys(requests).flatMap((name) => promises.map(([kind, make]) => [name, kind, make] as const)),
    )('%s, one %s: 500, explained, and nothing is stored', async (name, _kind, make) => {
      const rejections: unknown[] = []
      const note = (reason: unknown) => rejections.push(reason)
      process.on('unhandledRejection', note)
      const hook = name.split(' ')[0] ?? ''
      const hooks = { Account: { [hook]: () => make() } as AnyHooks }
      const { ask, log, stop } = await onFastify(world, hooks, { isAsync: false })
      const [method = '', path = '', body] = requests[name] ?? []
      const before = await world.rows('select count(*), group_concat(name) from accounts')
      const told = await ask(1, { method, path, ...(body !== undefined && { body }) })
      expect([told.status, JSON.parse(told.body)]).toMatchObject([500, { code: 'internal_error' }])
      expect(log.join('\n')).toMatch(naming('controllers[0]', 'AccountController', hook))
      if (hook.startsWith('after') && hook !== 'afterList')
        expect(log.join('\n')).toMatch(naming('afterCommit'))
      expect(await world.rows('select count(*), group_concat(name) from accounts')).toEqual(before)
      expect(await world.rows('select id from entries')).toEqual([{ id: 1 }])
      await new Promise((resolve) => setImmediate(resolve))
      await stop()
      process.off('unhandledRejection', note)
      expect(rejections).toEqual([])
    })
  })
})
