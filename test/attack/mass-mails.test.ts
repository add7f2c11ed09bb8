import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import type { ServiceAuth } from '../../src/index.ts'
import { type AuthService, ada, registered } from '../stage/auth-service.ts'
import { arrived, mailbox, startMailing } from '../stage/mail-service.ts'
import { later, serving } from '../stage/stateful.ts'
import { slowCache } from './held.ts'

afterEach(() => void vi.restoreAllMocks())

const served = { modelConfig: { User: { internal: false } } }

/** Without the mails that verify addresses. */
const resetting = ({
  hooks: { PASSWORD_RESET, ON_PASSWORD_RESET },
}: ReturnType<typeof mailbox>): ServiceAuth => ({
  ...(PASSWORD_RESET !== undefined && { PASSWORD_RESET }),
  ...(ON_PASSWORD_RESET !== undefined && { ON_PASSWORD_RESET }),
})

/** Time passes for the cache in memory, too, which measures it. */
const passing = (): ((seconds: number) => void) => {
  const now = performance.now.bind(performance)
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed * 1000)
  return (seconds) => {
    passed += seconds
    later(seconds)
  }
}

const removing = async ({ send }: AuthService, token: string, id: unknown): Promise<number> =>
  (await send('DELETE', `/api/users/${id}`, { token })).status

it('a mail to nobody takes as many round trips to the cache as one to a user', async () => {
  let asked = 0
  const CACHE = slowCache(memoryCache(), async () => {
    asked += 1
  })
  const box = mailbox()
  const service = await serving(startMailing)(resetting(box), { settings: { CACHE } })
  await registered(service)
  const tripsFor = async (email: string): Promise<number> => {
    asked = 0
    await service.send('POST', '/api/auth/password/reset', { body: { email } })
    await arrived(service, box, 'reset')
    return asked
  }
  const nobody = await tripsFor('nobody@example.com')
  expect(await tripsFor(ada.email)).toBe(nobody)
  expect(box.mails).toHaveLength(1)
})

describe('mails to one victim', () => {
  const start = startMailing
  const serve = serving(start)

  it('checklist 42: an account that is deleted and registered again sends one mail a minute', async () => {
    const box = mailbox()
    const service = await serve(box.hooks, served)
    for (let count = 0; count < 5; count += 1) {
      const { access, user } = await registered(service)
      await service.send('POST', '/api/auth/password/reset', { body: { email: ada.email } })
      for (const what of ['verify', 'reset'] as const)
        expect((await arrived(service, box, what)).map(({ to }) => to)).toEqual([ada.email])
      expect(await removing(service, access, user['id'])).toBe(204)
    }
  })

  it('checklist 42: an account that changes its address sends one mail a minute', async () => {
    const box = mailbox()
    const service = await serve(box.hooks, served)
    const { access: token, user } = await registered(service)
    await arrived(service, box, 'verify')
    for (let count = 0; count < 5; count += 1) {
      const body = { email: `victim${count}@example.com` }
      expect((await service.send('PATCH', `/api/users/${user['id']}`, { token, body })).status).toBe(200)
      await service.send('POST', '/api/auth/email/verify', { body })
    }
    expect((await arrived(service, box, 'verify')).map(({ to }) => to)).toEqual([ada.email])
  })

  it('checklist 42: the pause after each mail doubles, up to an hour, and a quiet day ends it', async () => {
    const pass = passing()
    const box = mailbox()
    const service = await serve({ ...resetting(box), MAIL_MAX_PER_ADDRESS: 0 })
    await registered(service)
    const mails = async (): Promise<number> => {
      await service.send('POST', '/api/auth/password/reset', { body: { email: ada.email } })
      return (await arrived(service, box, 'reset')).length
    }
    expect(await mails()).toBe(1)
    for (const [at, minutes] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      pass(60 * minutes - 2)
      expect([minutes, await mails()]).toEqual([minutes, at + 1])
      pass(4)
      expect([minutes, await mails()]).toEqual([minutes, at + 2])
    }
    pass(2 * 86_400 + 2)
    const sent = await mails()
    pass(62)
    expect(await mails()).toBe(sent + 1)
  })

  it('checklist 42: the use of a token ends the pause', async () => {
    const box = mailbox()
    const service = await serve(resetting(box))
    await registered(service)
    const ask = () => service.send('POST', '/api/auth/password/reset', { body: { email: ada.email } })
    await ask()
    const [mail] = await arrived(service, box, 'reset')
    await ask()
    expect((await arrived(service, box, 'reset')).length).toBe(1)
    const body = { token: mail?.token, password: 'a lamp for every desk' }
    expect((await service.send('POST', '/api/auth/password/reset/confirm', { body })).status).toBe(204)
    await ask()
    expect((await arrived(service, box, 'reset')).length).toBe(2)
  })

  it('checklist 38: a password that changes without end gives ten notices', async () => {
    const notices: unknown[] = []
    const service = await serve({
      PASSWORD_CHANGE: true,
      ON_PASSWORD_CHANGE: (user) => void notices.push(Reflect.get(user, 'email')),
    })
    let { access: token } = await registered(service)
    const [even, odd] = [ada.password, 'a lamp for every desk']
    const found: number[] = []
    for (let count = 0; count < 12; count += 1) {
      const [old_password, new_password] = count % 2 === 0 ? [even, odd] : [odd, even]
      const reply = await service.send('POST', '/api/auth/password/change', {
        ...{ token, body: { old_password, new_password } },
      })
      found.push(reply.status)
      if (reply.status === 200) token = String(reply.json['access'])
    }
    expect(found).toEqual([...Array(10).fill(200), 429, 429])
    expect(notices.length).toBe(10)
  })
})
