import { Controller, Get, Injectable, Module } from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import type { Request } from 'express'
import { BaseModelController, controllerFor } from 'modelrest'
import { ModelRest, ModelRestModule, nestHost, registerAuthRoutes, StartError } from 'modelrest/nest'
import { describe, expect, it } from 'vitest'
import { platformOf } from '../../../src/host/nest/platform.ts'
import { naming } from '../../naming.ts'
import { json, logOfTests } from '../stage.ts'
import { asking, created, decorated, platforms, tasks } from './stage.ts'

const logged = logOfTests()

/** A provider of the application. */
class Prices {
  readonly factor = 2
}
const PricesModule = decorated(class PricesModule {}, {
  on: [Module({ providers: [Prices], exports: [Prices] })],
})

describe.each(platforms)('on %s', (platform) => {
  it('serves below the global prefix and its base, after the controllers of all modules', async () => {
    const Own = decorated(
      class Own {
        readonly rest: ModelRest
        constructor(rest: ModelRest) {
          this.rest = rest
        }
        seven() {
          return 'theirs'
        }
        async me(request: Request) {
          const { caller } = await this.rest.context(request)
          return { context: caller?.id, authenticate: (await this.rest.authenticate(request))?.id }
        }
      },
      {
        on: [Controller('v2')],
        methods: { seven: [Get('tasks/7')], me: [Get('me')] },
        inject: [ModelRest],
      },
    )
    // Nest creates it last, but declares its routes before those of modelrest.
    const OwnModule = decorated(class OwnModule {}, { on: [Module({ controllers: [Own] })] })
    const seen: unknown[] = []
    const app = await created(platform, {
      imports: [
        ModelRestModule.forRoot({
          models: tasks(),
          base: '/v2',
          auth: {
            authenticate: (request) => {
              seen.push(request.ip, request.originalUrl, request.headers.host)
              return { id: '5', claims: {} }
            },
          },
        }),
        OwnModule,
      ],
    })
    const ask = await asking(app.setGlobalPrefix('api'))
    expect((await ask('/api/v2/tasks/')).json).toMatchObject({ count: 0 })
    expect(seen).toEqual(['127.0.0.1', '/api/v2/tasks/', expect.stringContaining('127.0.0.1:')])
    expect((await ask('/api/v2/tasks/7')).text).toBe('theirs')
    expect((await ask('/api/v2/tasks/8')).json.instance).toBe('/api/v2/tasks/8')
    expect((await ask('/api/v2/me')).json).toEqual({ context: '5', authenticate: '5' })
    expect((await ask('/api/v2/tasks/', { method: 'PATCH' })).headers.get('allow')).toBe('GET, HEAD, POST')
    expect((await ask('/api/v2/nothing')).json.message).toBe('Cannot GET /api/v2/nothing')
    expect((await ask('/tasks/')).status).toBe(404)
    const { paths, servers } = app.get(ModelRest).openapi()
    expect(servers).toEqual([{ url: '/api/v2' }])
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/tasks/', '/me']))
    expect(logged()).toContain('controllers: 0')
  })

  it('takes options from a factory, and creates controllers with providers', async () => {
    const Doubling = decorated(
      class Doubling extends BaseModelController {
        static readonly search: readonly string[] = ['title']
        static afterList(): undefined {}
        readonly prices: Prices
        constructor(prices: Prices) {
          super()
          this.prices = prices
        }
        beforeCreate(_request: unknown, payload: { size?: number }) {
          return { ...payload, size: (payload.size ?? 1) * this.prices.factor }
        }
      },
      { on: [Injectable()], inject: [Prices] },
    )
    const app = await created(platform, {
      imports: [
        ModelRestModule.forRootAsync({
          imports: [PricesModule],
          inject: [Prices],
          useFactory: async (prices: Prices) => ({
            models: tasks(),
            base: `/v${prices.factor}`,
            controllers: [controllerFor('Task', Doubling)],
          }),
        }),
      ],
    })
    const ask = await asking(app)
    expect((await ask('/v2/tasks/', json({ title: 'a', size: 21 }))).json).toMatchObject({ size: 42 })
    expect((await ask('/v2/tasks/?search=a')).json).toMatchObject({ count: 1 })
  })

  it('refuses mistakes with one error', async () => {
    const models = tasks()
    const twice = [ModelRestModule.forRoot({ models }), ModelRestModule.forRoot({ models, base: '/v2' })]
    await expect(created(platform, { imports: twice })).rejects.toThrow(naming('ModelRestModule', 'nestHost'))
    await expect(created(platform, { imports: [ModelRestModule] })).rejects.toThrow(naming('forRoot'))
    const failing = (useFactory: () => never) =>
      created(platform, { imports: [ModelRestModule.forRootAsync({ useFactory })] })
    const broken = failing(() => {
      throw new Error('no secret')
    })
    await expect(broken).rejects.toThrow(naming('useFactory', 'no secret'))
    await expect(broken).rejects.toThrow(StartError)
    await expect(failing(() => ({}) as never)).rejects.toThrow(naming('useFactory', 'models'))
    const starting = async (options: object, prefix = 'api') => {
      const app = await created(platform, { imports: [ModelRestModule.forRoot({ models, ...options })] })
      return app.setGlobalPrefix(prefix).init()
    }
    await expect(starting({ base: '/api/v2' })).rejects.toThrow(naming('/api', '"/v2"'))
    await expect(starting({ base: 'v2' })).rejects.toThrow(naming('base', '/api'))
    await expect(starting({}, ':tenant')).rejects.toThrow(naming('/:tenant'))
    await expect(starting({ colour: 1 })).rejects.toThrow(naming('colour'))
    const app = await created(platform, { imports: [ModelRestModule.forRoot({ models })] })
    app.get(ModelRest).problems(app)
    await expect(app.setGlobalPrefix('api').init()).rejects.toThrow(naming('setGlobalPrefix()'))
  })

  it('refuses what is not injected, by the name of Nest', async () => {
    class Needing extends BaseModelController {}
    decorated(Needing, { on: [Injectable()], inject: [Prices] })
    const controllers = [controllerFor('Task', Needing)]
    await expect(
      created(platform, { imports: [ModelRestModule.forRoot({ models: tasks(), controllers })] }),
    ).rejects.toThrow(naming('Needing', 'Prices'))
    class Misspelled extends BaseModelController {
      befroeCreate() {
        return undefined
      }
    }
    const app = await created(platform, {
      imports: [
        ModelRestModule.forRoot({ models: tasks(), controllers: [controllerFor('Task', Misspelled)] }),
      ],
    })
    await expect(app.init()).rejects.toThrow(naming('Misspelled', 'befroeCreate', 'beforeCreate'))
  })

  it('serves an application that is not written with the module', async () => {
    const Own = decorated(
      class Own {
        seven() {
          return 'theirs'
        }
      },
      { on: [Controller()], methods: { seven: [Get('own')] } },
    )
    const app = await created(platform, { controllers: [Own] })
    app.setGlobalPrefix('/api/').enableCors()
    const rest = new ModelRest(app, { models: tasks(), controllers: [] })
    await rest.init()
    await new ModelRest(nestHost(app, { base: '/v2' }), { models: tasks(), controllers: [] }).init()
    const ask = await asking(app)
    expect((await ask('/api/tasks/')).status).toBe(200)
    expect((await ask('/api/v2/tasks/', json({ title: 'a' }))).status).toBe(201)
    expect((await ask('/api/own')).text).toBe('theirs')
    expect((await ask('/api/tasks/')).headers.get('access-control-allow-origin')).toBe('*')
    const preflight = { 'access-control-request-method': 'PUT', origin: 'http://elsewhere.test' }
    expect((await ask('/api/tasks/', { method: 'OPTIONS', headers: preflight })).status).toBe(204)
    expect(Object.keys(rest.openapi().paths)).toContain('/own')
    for (const late of [() => new ModelRest(app, { models: tasks() }), () => nestHost(app)])
      expect(late).toThrow(naming('app.listen()'))
  })

  it('refuses operations that are served already', async () => {
    const Own = decorated(
      class Own {
        list() {
          return 'theirs'
        }
      },
      { on: [Controller('tasks')], methods: { list: [Get()] } },
    )
    const app = await created(platform, { controllers: platform === 'fastify' ? [Own] : [] })
    const options = { models: tasks(), controllers: [] }
    await new ModelRest(app, options).init()
    if (platform === 'express') await new ModelRest(app, options).init()
    await expect(app.init()).rejects.toThrow(naming('/tasks/', 'modelConfig'))
  })

  it('lets controllers replace operations', async () => {
    const Own = decorated(
      class Own {
        list() {
          return ['theirs']
        }
        one() {
          return ['one']
        }
      },
      { on: [Controller('tasks')], methods: { list: [Get()], one: [Get(':task')] } },
    )
    const app = await created(platform, {
      imports: [ModelRestModule.forRoot({ models: tasks() })],
      controllers: [Own],
    })
    const ask = await asking(app)
    expect((await ask('/tasks')).json).toEqual(['theirs'])
    expect((await ask('/tasks/7')).json).toEqual(['one'])
    expect((await ask('/tasks/', json({ title: 'a' }))).status).toBe(201)
    expect((await ask('/tasks/1', { method: 'DELETE' })).status).toBe(204)
  })

  it('finishes running requests when it closes, and is not ready meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const app = await created(platform, {
      imports: [
        ModelRestModule.forRoot({
          models: tasks(),
          health: true,
          auth: {
            authenticate: async () => {
              arrived.resolve()
              await promise
              return { id: '1', claims: {} }
            },
          },
          controllers: [],
        }),
      ],
      providers: [
        {
          provide: 'ASKING',
          useValue: {
            beforeApplicationShutdown: async () => states.push((await ask('/health/ready')).status),
          },
        },
      ],
    })
    const states: number[] = []
    const ask = await asking(app.enableShutdownHooks())
    states.push((await ask('/health/ready')).status)
    const response = ask('/tasks/')
    await arrived.promise
    const closing = app.close()
    resolve()
    expect((await response).status).toBe(200)
    await closing
    expect(states).toEqual([200, 503])
    await expect(ask('/tasks/')).rejects.toThrow()
  })
})

it('does not serve in a program without HTTP', async () => {
  const module = decorated(class AppModule {}, {
    on: [Module({ imports: [ModelRestModule.forRoot({ models: tasks() })] })],
  })
  const program = await NestFactory.createApplicationContext(module, { logger: false })
  expect(() => program.get(ModelRest).operations).toThrow(StartError)
  await program.close()
})

it('refuses other servers', () => {
  const adapter = { getType: () => 'other' } as AbstractHttpAdapter
  expect(() => platformOf(adapter)('')).toThrow(naming('Express', 'Fastify', 'other'))
})

it('registers only authentication', async () => {
  const app = await created('express', {})
  await expect(registerAuthRoutes(app, { models: tasks() })).rejects.toThrow(StartError)
})

describe('mistakes', () => {
  it('are named before Nest starts', () => {
    expect(() => ModelRestModule.forRoot({} as never)).toThrow(naming('forRoot', 'models'))
    expect(() => ModelRestModule.forRootAsync({} as never)).toThrow(naming('forRootAsync', 'useFactory'))
    expect(() => ModelRestModule.forRoot({ models: tasks(), decorators: [1] as never })).toThrow(
      naming('decorators', 'UseGuards'),
    )
    expect(() => nestHost({} as never)).toThrow(StartError)
    expect(() => new ModelRest({} as never, { models: tasks() })).toThrow(StartError)
  })
})
