import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { afterEach, expect, it, vi } from 'vitest'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import type { Caller } from '../../../src/index.ts'
import { naming } from '../../naming.ts'
import { ada, describeServices, loggedIn, registered } from '../../stage/auth-service.ts'
import { openModels } from '../service.ts'

/** What stands in no log. */
const value = 'a value of a record'

/** A database of the application's own, which fails as drizzle says it: with the statement and its values. */
const audit = drizzle(async () => {
  throw new Error('The audit is away.')
})
const write = async (): Promise<void> => {
  await audit.run(sql`insert into audit values (${value})`)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describeServices('errors of statements in the log', (serve) => {
  const logging = () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    return (service: { readonly log: readonly unknown[] }): string =>
      JSON.stringify([service.log, stderr.mock.calls])
  }

  it.each(['LOGIN', 'REGISTER', 'REFRESH', 'LOGOUT'] as const)(
    'have no values where ON_%s made them',
    async (name) => {
      const logged = logging()
      let isOn = false
      const hook = async () => {
        if (isOn) await write()
      }
      const service = await serve({ [`ON_${name}`]: hook })
      const { access, refresh } = await registered(service)
      isOn = true
      const body = name === 'REGISTER' ? { ...ada, email: 'eve@example.com', username: 'eve' } : { refresh }
      const reply =
        name === 'LOGIN'
          ? await loggedIn(service)
          : await service.send('POST', `/api/auth/${name.toLowerCase()}`, { token: access, body })
      expect(reply.status).toBe(500)
      expect(logged(service)).toContain('Failed query: insert into audit')
      expect(logged(service)).not.toContain(value)
    },
  )

  it('have no values where authentication reads users itself', async () => {
    const logged = logging()
    const service = await serve()
    await registered(service)
    await service.execute('alter table users rename to others')
    expect((await loggedIn(service)).status).toBe(500)
    expect(logged(service)).toMatch(/no such table|Failed query/)
    expect(logged(service)).not.toContain(ada.email)
  })

  it('have no values where authenticate made them', async () => {
    const logged = logging()
    const authenticate = async (): Promise<Caller | null> => {
      await write()
      return null
    }
    const service = await serve({}, { auth: { authenticate } })
    expect((await service.send('GET', '/api/notes/')).status).toBe(500)
    expect(logged(service)).toContain('Failed query: insert into audit')
    expect(logged(service)).not.toContain(value)
  })

  it('have no values where a check of health made them', async () => {
    const logged = logging()
    const service = await serve({}, { health: { checks: { audit: write } } })
    expect((await service.send('GET', '/api/health/ready')).status).toBe(503)
    expect(logged(service)).toMatch(naming('health', 'audit'))
    expect(logged(service)).toContain('Failed query: insert into audit')
    expect(logged(service)).not.toContain(value)
  })
})

it('authenticate throws errors of statements without values', async () => {
  const { models, close } = openModels()
  const authenticate = async (): Promise<Caller | null> => {
    await write()
    return null
  }
  const rest = new ModelRest(fetchApp(), { models, auth: { authenticate } })
  const thrown = await rest.authenticate(new Request('http://localhost/')).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ message: 'Failed query: insert into audit values (?)' })
  expect(thrown).not.toHaveProperty('params')
  close()
})
