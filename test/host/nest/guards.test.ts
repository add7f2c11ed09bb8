import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  ConflictException,
  Controller,
  type ExecutionContext,
  Get,
  type HttpException,
  Injectable,
  Module,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, Reflector } from '@nestjs/core'
import { controllerFor, HttpError } from 'modelrest'
import { ModelRestModule, type ModelRestModuleOptions } from 'modelrest/nest'
import { concat, firstValueFrom, merge, of, tap, throwError } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { naming } from '../../naming.ts'
import { json } from '../stage.ts'
import { listenNest } from './listen.ts'
import { asking, created, decorated, platforms, tasks } from './stage.ts'

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  vi.restoreAllMocks()
})

type Guard = (context: ExecutionContext) => unknown

const guardedBy = (canActivate: Guard) => UseGuards({ canActivate: canActivate as () => boolean })

const around = (intercept: (context: ExecutionContext, next: CallHandler) => unknown) =>
  UseInterceptors({ intercept: intercept as () => ReturnType<CallHandler['handle']> })

const Own = decorated(
  class Own {
    own() {
      return { own: true }
    }
  },
  { on: [Controller()], methods: { own: [Get('own')] } },
)

describe.each(platforms)('on %s', (platform) => {
  const serving = async (
    options: Partial<ModelRestModuleOptions>,
    metadata: Parameters<typeof Module>[0] = {},
  ) => {
    const { imports = [], controllers = [Own], providers = [] } = metadata
    return created(platform, {
      imports: [ModelRestModule.forRoot({ models: tasks(), ...options }), ...imports],
      ...{ controllers, providers },
    })
  }

  it('guards see the operation, its model and metadata, before a body is read', async () => {
    const seen: unknown[] = []
    const reflector = new Reflector()
    const app = await serving({
      decorators: [
        SetMetadata('roles', ['admin']),
        guardedBy((context) => {
          const [request, response] = [
            context.switchToHttp().getRequest(),
            context.switchToHttp().getResponse(),
          ]
          const targets = [context.getHandler(), context.getClass()]
          seen.push([
            ...[context.getType(), request.method, context.getClass().name, context.getHandler().name],
            reflector.getAllAndOverride('roles', targets),
          ])
          response.header('x-seen', 'yes')
          return true
        }),
      ],
    })
    const ask = await asking(app)
    const { headers } = await ask('/tasks/')
    expect(headers.get('x-seen')).toBe('yes')
    await ask('/tasks/', json({ title: 'a' }))
    await ask('/tasks/1', { method: 'HEAD' })
    await ask('/tasks/aggregate?select=count')
    await ask('/openapi.json')
    for (const unguarded of ['/own', '/nothing', '/task/']) await ask(unguarded)
    await ask('/tasks/', { method: 'PUT' })
    await ask('/tasks/', { method: 'OPTIONS' })
    const as = (method: string, tag: string, id: string) => ['http', method, tag, id, ['admin']]
    expect(seen).toEqual([
      as('GET', 'Task', 'listTasks'),
      as('POST', 'Task', 'createTask'),
      as('HEAD', 'Task', 'getTask'),
      as('GET', 'Task', 'aggregateTasks'),
      as('GET', 'ModelRest', expect.stringMatching(/openapi/i)),
    ])
  })

  it('global guards, interceptors and filters apply as to controllers', async () => {
    class Teapot {
      catch(error: HttpException, host: ArgumentsHost) {
        const response = host.switchToHttp().getResponse()
        response.status(418).header('x-filter', 'yes').send({ caught: error.message })
      }
    }
    decorated(Teapot, { on: [Catch(ConflictException)] })
    const refused = (context: ExecutionContext) => {
      const { refuse } = context.switchToHttp().getRequest().headers
      if (refuse === 'conflict') throw new ConflictException('Not now.')
      if (refuse === 'error') throw new Error('secret')
      if (refuse === 'problem') throw new HttpError(409, 'Ours.')
      return refuse !== 'no'
    }
    const order: string[] = []
    const intercepted = {
      intercept: (context: ExecutionContext, next: CallHandler) => {
        order.push(`before ${context.getHandler().name}`)
        return next.handle().pipe(tap({ complete: () => order.push('after') }))
      },
    }
    const app = await serving(
      {},
      {
        providers: [
          { provide: APP_GUARD, useValue: { canActivate: refused } },
          { provide: APP_FILTER, useClass: Teapot },
        ],
      },
    )
    const ask = await asking(app.useGlobalInterceptors(intercepted))
    for (const refuse of ['no', 'conflict', 'error', 'problem']) {
      const answers = [
        await ask('/own', { headers: { refuse } }),
        await ask('/tasks/', { headers: { refuse } }),
      ]
      const [own, ours] = answers.map(({ status, text, headers }) => [
        ...[status, text, headers.get('content-type'), headers.get('x-filter')],
      ])
      expect(ours).toEqual(own)
    }
    expect((await ask('/tasks/', { headers: { refuse: 'no' } })).json).toEqual({
      ...{ statusCode: 403, message: 'Forbidden resource', error: 'Forbidden' },
    })
    expect((await ask('/tasks/', { headers: { refuse: 'conflict' } })).json).toEqual({ caught: 'Not now.' })
    expect(order).toEqual([])
    expect((await ask('/tasks/')).status).toBe(200)
    await vi.waitFor(() => expect(order).toEqual(['before listTasks', 'after']))
  })

  it('refuses a body that is still being sent', async () => {
    const app = await serving({ decorators: [guardedBy(() => false)] })
    const ask = await asking(app)
    const large = json({ title: 'x'.repeat(50_000) })
    for (const _again of [1, 2, 3]) expect((await ask('/tasks/', large)).status).toBe(403)
  })

  it('guards with providers are created by Nest', async () => {
    class Keys {
      readonly key = 'open'
    }
    const KeysModule = decorated(class KeysModule {}, {
      on: [Module({ providers: [Keys], exports: [Keys] })],
    })
    const KeyGuard = decorated(
      class KeyGuard {
        readonly keys: Keys
        constructor(keys: Keys) {
          this.keys = keys
        }
        canActivate(context: ExecutionContext) {
          return context.switchToHttp().getRequest().headers['key'] === this.keys.key
        }
      },
      { on: [Injectable()], inject: [Keys] },
    )
    const app = await created(platform, {
      imports: [
        ModelRestModule.forRoot({
          models: tasks(),
          imports: [KeysModule],
          decorators: [UseGuards(KeyGuard)],
        }),
      ],
    })
    const ask = await asking(app)
    expect((await ask('/tasks/')).status).toBe(403)
    expect((await ask('/tasks/', { headers: { key: 'open' } })).status).toBe(200)
  })

  it('interceptors run around the response, and may respond instead', async () => {
    const seen: unknown[] = []
    const lists: string[] = []
    const app = await serving({
      controllers: [
        controllerFor('Task', {
          beforeList: () => {
            lists.push('list')
          },
        }),
      ],
      decorators: [
        around((context, next) => {
          const request = context.switchToHttp().getRequest()
          const { mode } = request.headers
          if (mode === 'cached') return of({ cached: true })
          if (mode === 'nothing') return of(undefined)
          if (mode === 'fails')
            return concat(
              next.handle(),
              throwError(() => new Error('after the response')),
            )
          if (mode === 'twice') return merge(next.handle(), next.handle())
          const { raw = context.switchToHttp().getResponse() } = context.switchToHttp().getResponse()
          return next.handle().pipe(tap((value) => seen.push([value, raw.writableFinished])))
        }),
      ],
    })
    const ask = await asking(app)
    const asked = (mode: string, init: RequestInit = {}) =>
      ask('/tasks/', { ...init, headers: { ...init.headers, mode } })
    expect((await asked('none')).json).toMatchObject({ count: 0 })
    await vi.waitFor(() => expect(seen).toEqual([[undefined, true]]))
    expect(await asked('cached')).toMatchObject({ status: 200, json: { cached: true } })
    expect(await asked('cached', json({ title: 'a' }))).toMatchObject({ status: 201, json: { cached: true } })
    expect(await asked('nothing')).toMatchObject({ status: 200, text: '' })
    const before = lists.length
    expect((await asked('twice')).status).toBe(200)
    expect(lists.length).toBe(before + 1)
    expect((await asked('fails')).json).toMatchObject({ count: 0 })
  })

  it('responds once if an interceptor does not wait', async () => {
    const started = Promise.withResolvers<void>()
    const { promise: slow, resolve } = Promise.withResolvers<void>()
    const app = await serving({
      decorators: [
        around(async (_context, next) => {
          void firstValueFrom(next.handle(), { defaultValue: undefined })
          await started.promise
          return of({ early: true })
        }),
      ],
      controllers: [
        controllerFor('Task', {
          beforeList: async () => {
            started.resolve()
            await slow
          },
        }),
      ],
    })
    const ask = await asking(app)
    expect((await ask('/tasks/')).json).toEqual({ early: true })
    resolve()
    expect((await ask('/tasks/')).json).toEqual({ early: true })
  })

  it('does not start for a client that has left', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const app = await serving({
      decorators: [
        guardedBy(async (context) => {
          const request = context.switchToHttp().getRequest()
          if (request.method !== 'DELETE') return true
          const { raw = context.switchToHttp().getResponse() } = context.switchToHttp().getResponse()
          raw.once('close', () => left.resolve())
          waiting.resolve()
          await promise
          return true
        }),
      ],
    })
    const { port } = await listenNest(app)
    const list = `http://127.0.0.1:${port}/tasks/`
    await fetch(list, json({ title: 'a' }))
    const leaving = new AbortController()
    const deleted = fetch(`${list}1`, { method: 'DELETE', signal: leaving.signal })
    await waiting.promise
    leaving.abort()
    await expect(deleted).rejects.toThrow()
    await left.promise
    resolve()
    expect(await (await fetch(list)).json()).toMatchObject({ count: 1 })
  })

  it.each([
    [APP_GUARD, Scope.REQUEST],
    [APP_GUARD, Scope.TRANSIENT],
    [APP_INTERCEPTOR, Scope.REQUEST],
  ])('refuses %s that is created for each request', async (provide, scope) => {
    class PerRequest {
      canActivate() {
        return false
      }
      intercept(_context: ExecutionContext, next: CallHandler) {
        return next.handle()
      }
    }
    decorated(PerRequest, { on: [Injectable()] })
    const app = await serving({}, { providers: [{ provide, scope, useClass: PerRequest }] })
    await expect(app.init()).rejects.toThrow(naming('PerRequest', 'ModuleRef.resolve()'))
  })

  it('refuses decorators that cannot work', async () => {
    class PerRequest {
      canActivate() {
        return false
      }
    }
    decorated(PerRequest, { on: [Injectable({ scope: Scope.REQUEST })] })
    const scoped = await serving({ decorators: [UseGuards(PerRequest)] })
    await expect(scoped.init()).rejects.toThrow(naming('decorators', 'ModuleRef.resolve()'))
    const filtered = await serving({ decorators: [UseFilters({ catch: () => undefined })] })
    await expect(filtered.init()).rejects.toThrow(naming('UseFilters()', 'app.useGlobalFilters'))
  })
})
