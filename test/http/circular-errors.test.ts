import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { controllerFor } from '../../src/index.ts'
import { openModels, startService } from './service.ts'

/** Two errors, each of which names the other as its cause. */
const circle = (): Error => {
  const inner = new Error('the inner one')
  const outer = new Error('the outer one', { cause: inner })
  inner.cause = outer
  return outer
}

const deep = (): Error => {
  let error = new Error('the innermost')
  for (let depth = 0; depth < 20_000; depth += 1) error = new Error('around it', { cause: error })
  return error
}

const nameless = (): unknown => Object.create(null)

const thrown = [
  ['goes in a circle', circle, /the outer one[\s\S]*Error: the inner one/],
  ['has causes without end', deep, /around it[\s\S]*Error: around it/],
  ['has no text', nameless, /PATCH \/api\/makers\/1\b|afterCommit of Maker/],
] as const

const hooks = (make: () => unknown) => ({
  beforeUpdate: () => {
    throw make()
  },
  afterCommit: async () => {
    throw make()
  },
})

afterEach(() => {
  vi.restoreAllMocks()
})

const written = () => vi.spyOn(process.stderr, 'write').mockReturnValue(true)

describe('what a hook throws', () => {
  const start = startService
  it.each(thrown)('%s: it is a 500, and one entry of the log', async (_what, make, expected) => {
    const write = written()
    const { send, stop } = await start({ controllers: [controllerFor('Maker', hooks(make))] })
    const reply = await send('PATCH', '/api/makers/1', { body: { name: 'Ada' } })
    expect(reply.status).toBe(500)
    expect(reply.json).toMatchObject({ code: 'internal_error' })
    await stop()
    const lines = write.mock.calls.join()
    expect(lines).toMatch(expected)
    expect(lines.length).toBeLessThan(50_000)
    expect(lines).not.toContain('call stack')
  })

  it.each(thrown)('%s: behind the reply it ends no process', async (_what, make, expected) => {
    const write = written()
    const { send, stop } = await start({ controllers: [controllerFor('Maker', hooks(make))] })
    expect((await send('POST', '/api/makers/', { body: { name: 'Ada' } })).status).toBe(201)
    await expect.poll(() => write.mock.calls.join()).toMatch(expected)
    expect((await send('GET', '/api/makers/1')).status).toBe(200)
    await stop()
  })
})

it('a log that fails ends no process', async () => {
  const write = written()
  const { models, close } = openModels()
  const failing = { write: (line: string) => line }
  const app = Fastify({ logger: { level: 'error', stream: failing } })
  app.addHook('onRequest', async ({ log }) => {
    log.error = () => {
      throw new Error('the disk is full')
    }
  })
  const rest = new ModelRest(app, { models, controllers: [controllerFor('Maker', hooks(circle))] })
  await rest.init()
  const reply = await app.inject({ method: 'POST', url: '/makers/', body: { name: 'Ada' } })
  expect(reply.statusCode).toBe(201)
  await rest.close()
  expect(write.mock.calls.join()).toContain('the disk is full')
  await app.close()
  close()
})
