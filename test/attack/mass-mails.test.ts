import { describe, expect, it } from 'vitest'
import { type AuthService, ada, registered } from '../stage/auth-service.ts'
import { arrived, mailbox, mailServices } from '../stage/mail-service.ts'
import { serving } from '../stage/stateful.ts'

const served = { modelConfig: { User: { internal: false } } }

const removing = async ({ send }: AuthService, token: string, id: unknown): Promise<number> =>
  (await send('DELETE', `/api/users/${id}`, { token })).status

describe.each(mailServices)('mails to one victim, on %s', (_name, start) => {
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
    for (let count = 0; count < 5; count += 1) {
      const body = { email: `victim${count}@example.com` }
      expect((await service.send('PATCH', `/api/users/${user['id']}`, { token, body })).status).toBe(200)
      await service.send('POST', '/api/auth/email/verify', { body })
    }
    expect((await arrived(service, box, 'verify')).map(({ to }) => to)).toEqual([ada.email])
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
