import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { fetchApp } from '../../src/entry/fetch.ts'
import { defineSettings, ModelRest, type Observer, StartError } from '../../src/index.ts'
import { databases } from '../http/hooked.ts'
import { openModels, startService as start } from '../http/service.ts'
import { naming } from '../naming.ts'
import { everything, keeping, shown, type Told } from './keeping.ts'

const secret = 'kept-by-nobody'

describe('an observer', () => {
  it('is told of operations and of their statements, without a value', async () => {
    const { observer, told } = keeping()
    const { send, stop } = await start({ observer })
    const product = { name: secret, price: '77.25', maker_id: 1 }
    const sent = [
      ['GET', `/api/products/?name=${secret}&price>77.25&sort=name`],
      ['POST', '/api/products/', { body: product }],
      ['HEAD', '/api/products/1'],
      ['PUT', '/api/products/1/', { body: product }],
      ['PATCH', '/api/products/1', { body: { price: '-77.25' } }],
      ['POST', '/api/products/', { body: { ...product, maker_id: 7725 } }],
      ['POST', '/api/makers/', { body: { name: 'Acme' } }],
      ['POST', '/api/products/', { body: { [secret]: 1 } }],
      ['GET', '/api/products/7725'],
      ['DELETE', '/api/products/1'],
      ['GET', '/api/products/?nope=1'],
    ] as const
    for (const [method, path, body] of sent) await send(method, path, body)
    await stop()
    expect(told.map(shown)).toEqual([
      ...['  select products Product in listProducts - -', 'listProducts GET /api/products/ Product 200 -'],
      ...[
        '  insert products Product in createProduct - -',
        'createProduct POST /api/products/ Product 201 -',
      ],
      ...['  select products Product in getProduct - -', 'getProduct HEAD /api/products/{id} Product 200 -'],
      '  select products Product in replaceProduct - -',
      '  update products Product in replaceProduct - -',
      'replaceProduct PUT /api/products/{id} Product 200 -',
      '  update products Product in updateProduct check SQLITE_CONSTRAINT_CHECK',
      'updateProduct PATCH /api/products/{id} Product 422 invalid_body',
      '  insert products Product in createProduct foreign-key SQLITE_CONSTRAINT_FOREIGNKEY',
      // Which key was broken is looked up.
      '  select - - in createProduct - -',
      'createProduct POST /api/products/ Product 422 invalid_body',
      '  insert makers Maker in createMaker unique SQLITE_CONSTRAINT_UNIQUE',
      'createMaker POST /api/makers/ Maker 409 unique_conflict',
      'createProduct POST /api/products/ Product 422 invalid_body',
      '  select products Product in getProduct - -',
      'getProduct GET /api/products/{id} Product 404 not_found',
      '  delete products Product in deleteProduct - -',
      'deleteProduct DELETE /api/products/{id} Product 204 -',
      'listProducts GET /api/products/ Product 400 unknown_field',
    ])
    expect(told.map(everything).join()).not.toMatch(new RegExp(`${secret}|77\\.?25|Acme`))
    for (const { what, begun, ended } of told) {
      expect(ended.seconds).toBeGreaterThan(0)
      if (what === 'statement')
        expect(begun).toMatchObject({ system: 'sqlite', text: expect.stringContaining('?') })
      else expect(begun).toMatchObject({ scheme: 'http', requestId: expect.stringMatching(/./) })
    }
  })

  it('knows whose statement it is, and whether somebody is known', async () => {
    const { observer, told } = keeping()
    const authenticate = async (request: unknown) => {
      await after(1)
      const headers: unknown = Object(request).headers
      const user = headers instanceof Headers ? headers.get('x-user') : Object(headers)['x-user']
      return user ? { id: user, claims: {} } : null
    }
    const { send, stop } = await start({ observer, auth: { authenticate } })
    const users = Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? undefined : `user-${at}`))
    await Promise.all(
      users.map((user) =>
        send('POST', '/api/makers/', {
          body: { name: `by ${user}` },
          headers: user === undefined ? {} : { 'x-user': user },
        }),
      ),
    )
    await stop()
    const operations = told.flatMap((one) => (one.what === 'operation' ? [one] : []))
    const statements = told.flatMap((one) => (one.what === 'statement' ? [one] : []))
    expect(operations.map(({ ended }) => `${ended.status} ${ended.hasCaller}`).toSorted()).toEqual([
      ...Array(20).fill('201 true'),
      ...Array(10).fill('401 false'),
    ])
    expect(told.map(everything).join()).not.toContain('user-')
    const served = operations.filter(({ ended }) => ended.status === 201).map(({ begun }) => begun)
    const owners = statements.map(({ begun }) => begun.within)
    expect(new Set(owners)).toEqual(new Set(served))
    expect(new Set(owners.map((owner) => owner?.requestId)).size).toBe(20)
  })

  it('is told of the documentation, and of no start and no health', async () => {
    const { observer, told } = keeping()
    const { send, stop } = await start({ observer, health: true })
    await send('GET', '/api/health/ready')
    await send('GET', '/api/health/live')
    expect(told).toEqual([])
    await send('GET', '/api/openapi.json')
    await stop()
    expect(told.map(shown)).toEqual(['getOpenApi GET /api/openapi.json - 200 -'])
  })

  it('hears the end of what never got its body', async () => {
    const { observer, told } = keeping()
    const { send, stop } = await start({ observer, settings: defineSettings({ JSON_BODY_LIMIT: 10 }) })
    expect(await send('POST', '/api/makers/', { body: { name: 'a longer one' } })).toMatchObject({
      status: 413,
    })
    await stop()
    expect(told.map(shown)).toEqual(['createMaker POST /api/makers/ Maker 413 body_too_large'])
  })

  const broken = (): never => {
    throw new Error('the observer is broken')
  }
  const observers: Readonly<Record<string, Observer>> = {
    'throws at the beginning': { operation: broken, statement: broken },
    'throws at the end': { operation: () => ({ end: broken }), statement: () => ({ end: broken }) },
    'does not do the work': {
      operation: () => ({ run: (() => undefined) as never }),
      statement: () => ({ run: (() => undefined) as never }),
    },
    'throws before the work': { operation: () => ({ run: broken }), statement: () => ({ run: broken }) },
    'throws after the work': {
      operation: () => ({ run: (work) => [work(), broken()] as never }),
      statement: () => ({ run: (work) => [work(), broken()] as never }),
    },
    'does the work twice': {
      operation: () => ({ run: (work) => [work(), work()][1] as never }),
      statement: () => ({ run: (work) => [work(), work()][1] as never }),
    },
    'swallows the error': {
      statement: () => ({
        run: (work) => {
          try {
            return work()
          } catch {
            return undefined as never
          }
        },
      }),
    },
    'gives promises that fail': {
      operation: (async () => broken()) as never,
      statement: () => ({ end: async () => broken() }),
    },
    'gives what is no observation': { operation: () => 7 as never, statement: () => null as never },
  }
  it.each(Object.entries(observers))('that %s breaks nothing', async (_name, observer) => {
    const { send, stop, database } = await start({ observer })
    for (const name of ['one', 'two'])
      expect(await send('POST', '/api/makers/', { body: { name } })).toMatchObject({
        status: 201,
        json: { name },
      })
    expect(await send('POST', '/api/makers/', { body: { name: 'one' } })).toMatchObject({ status: 409 })
    expect(await send('GET', '/api/makers/?name==one')).toMatchObject({ status: 200, json: { count: 1 } })
    expect(database.prepare('select count(*) from makers').pluck().get()).toBe(4)
    await stop()
  })
})

describe.each(databases)('statements on %s', (_, start) => {
  it('are told once each, inside of transactions too, and belong to their operation', async () => {
    const { observer, told } = keeping()
    const { send, stop } = await start(
      { afterCreate: (_request, record) => record, afterUpdate: () => undefined },
      { observer },
    )
    await send('POST', '/things', { name: 'a' })
    await send('PATCH', '/things/1', { name: 'b' })
    await send('POST', '/things', { name: 'b' })
    await stop()
    expect(told.map(shown).map((line) => line.replace(/ (unique) \w+/, ' $1'))).toEqual([
      ...['  insert things Thing in createThing - -', 'createThing POST /things/ Thing 201 -'],
      // For `context.before`.
      '  select things Thing in updateThing - -',
      ...['  update things Thing in updateThing - -', 'updateThing PATCH /things/{id} Thing 200 -'],
      ...[
        '  insert things Thing in createThing unique',
        'createThing POST /things/ Thing 409 unique_conflict',
      ],
    ])
  })

  it('are told once where the observer fails, and so is the log', async () => {
    const { send, stop, log } = await start(
      {},
      {
        observer: {
          statement: () => {
            throw new Error('no such observer')
          },
        },
      },
    )
    for (const name of ['a', 'b']) await send('POST', '/things', { name })
    await stop()
    expect(log.filter((line) => line.includes('no such observer'))).toHaveLength(1)
    expect(log[0]).toMatch(naming('observer'))
  })
})

it('changes nothing in synchronous operation', async () => {
  const { observer, told } = keeping()
  const [[, start]] = databases
  const { send, stop } = await start({}, { observer, isAsync: false })
  expect(await send('POST', '/things', { name: 'a' })).toMatchObject({ status: 201 })
  await stop()
  expect(told.map(shown)).toEqual([
    ...['  insert things Thing in createThing - -', 'createThing POST /things/ Thing 201 -'],
  ])
})

describe('an operation that waits for its body on Fastify', () => {
  const served = async (
    use: (app: FastifyInstance, told: readonly Told[]) => Promise<void>,
  ): Promise<void> => {
    const { observer, told } = keeping()
    const { models, close } = openModels()
    const app = Fastify()
    app.addHook('preHandler', async (request, reply) => {
      if (request.headers['x-refuse'] !== undefined) return reply.code(418).send('not today')
      return undefined
    })
    await new FastifyModelRest(app, { models, observer }).init()
    await app.listen({ port: 0, host: '127.0.0.1' })
    await use(app, told)
    await app.close()
    close()
  }

  it('ends where a hook of the application answers', () =>
    served(async (app, told) => {
      const port = Number(new URL(app.listeningOrigin).port)
      const body = JSON.stringify({ name: 'x' })
      const headers = { 'content-type': 'application/json', 'x-refuse': 'yes' }
      const reply = await fetch(`http://127.0.0.1:${port}/makers`, { method: 'POST', body, headers })
      expect(reply.status).toBe(418)
      await expect.poll(() => told.map(shown)).toEqual(['createMaker POST /makers/ Maker 418 -'])
    }))

  it('ends where the body is refused while it comes', () =>
    served(async (app, told) => {
      const body = new Blob(['"', 'x'.repeat(2 ** 21), '"']).stream()
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', body, headers, duplex: 'half' } as const
      const reply = await fetch(`${app.listeningOrigin}/makers`, sent)
      expect(reply.status).toBe(413)
      expect(told.map(shown)).toEqual(['createMaker POST /makers/ Maker 413 body_too_large'])
    }))

  it('ends where the client goes', () =>
    served(async (app, told) => {
      const port = Number(new URL(app.listeningOrigin).port)
      const socket = connect(port, '127.0.0.1')
      socket.write(
        'POST /makers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n',
      )
      await once(socket, 'data')
      socket.destroy()
      await expect.poll(() => told.map(shown)).toEqual(['createMaker POST /makers/ Maker - -'])
    }))
})

describe('the option observer', () => {
  it.each([[true], [{}], [{ operations: () => undefined }], [() => undefined], [null]])(
    'cannot be %j',
    (observer) => {
      const { models, close } = openModels()
      close()
      const start = () => new ModelRest(fetchApp(), { models, observer } as never)
      expect(start).toThrow(StartError)
      expect(start).toThrow(naming('observer', 'operation', 'statement'))
    },
  )

  it('tells of operations alone where the source cannot tell of statements', async () => {
    const { observer, told } = keeping()
    const { models, close } = openModels()
    const { observed: _, ...source } = models
    const app = fetchApp()
    await new ModelRest(app, { models: source, observer }).init()
    await app.fetch(new Request('http://localhost/products'))
    close()
    expect(told.map(shown)).toEqual(['listProducts GET /products/ Product 200 -'])
  })
})
