import { describe, expect, it } from 'vitest'
import { type ControllerClass, controllerFor } from '../../src/index.ts'
import { type AuthService, ada, registered } from '../stage/auth-service.ts'
import { arrived, isVerifiedIn, mailbox, startMailing } from '../stage/mail-service.ts'
import { serving } from '../stage/stateful.ts'
import { gate } from './held.ts'

const mine = 'eve@example.com'
const { email: victim } = ada

const confirming = async ({ send }: AuthService, token: string | undefined): Promise<number> =>
  (await send('POST', '/api/auth/email/verify/confirm', { body: { token } })).status

describe('an address that is not verified', () => {
  const start = startMailing
  const serve = serving(start)

  it.each(['PATCH', 'PUT'])(
    'checklist 43: does not become verified by a late %s with the same address, while another one was verified',
    async (method) => {
      const held = gate()
      let holds = false
      const users = (controllerFor as unknown as (model: string, parts: object) => ControllerClass)('User', {
        beforeUpdate: () => (holds ? held.pass() : undefined),
      })
      const box = mailbox()
      const service = await serve(box.hooks, {
        ...{ controllers: [users], modelConfig: { User: { internal: false } } },
      })
      const { access: token, user } = await registered(service, { ...ada, email: mine })
      const change = (address: string) =>
        service.send(method, `/api/users/${user['id']}`, {
          ...{ token, body: { email: address, username: 'ada', name: ada.name } },
        })
      const [mail] = await arrived(service, box, 'verify')
      expect((await change(victim)).status).toBe(200)
      holds = true
      const late = change(victim)
      await held.reached
      holds = false
      expect((await change(mine)).status).toBe(200)
      expect(await confirming(service, mail?.token)).toBe(204)
      held.open()
      expect((await late).status).toBe(200)
      expect(await isVerifiedIn(service, victim)).toBe(false)
    },
  )
})

describe('an address that users cannot change', () => {
  const start = startMailing
  const serve = serving(start)

  it('checklist 42: stays as it was registered, so a stolen token does not redirect a reset', async () => {
    const service = await serve(mailbox().hooks, {
      modelConfig: { User: { internal: false, readOnly: ['email'] } },
    })
    const { access: token, user } = await registered(service)
    for (const method of ['PATCH', 'PUT']) {
      const sent = { token, body: { email: mine, username: 'ada' } }
      expect((await service.send(method, `/api/users/${user['id']}`, sent)).status).toBe(422)
    }
    expect((await service.rows('select email from users'))[0]).toEqual({ email: victim })
  })
})
