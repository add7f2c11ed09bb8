import { describe, expect, it } from 'vitest'
import { HttpError, type ServiceAuth } from '../../../src/index.ts'
import {
  type AuthService,
  ada,
  loggedIn,
  registered,
  type Session,
  sessionIn,
  startFastify,
} from '../../stage/auth-service.ts'
import { arrived, describeMails, isVerifiedIn, mailbox } from '../../stage/mail-service.ts'
import type { Answer } from '../../stage/requests.ts'
import { later, refreshing, statuses } from '../../stage/stateful.ts'

const { email } = ada
const password = 'a lamp for every desk'

const asking = ({ send }: AuthService, address: unknown): Promise<Answer> =>
  send('POST', '/api/auth/password/reset', { body: { email: address } })

const confirming = ({ send }: AuthService, token: unknown, given: unknown = password): Promise<Answer> =>
  send('POST', '/api/auth/password/reset/confirm', { body: { token, password: given } })

const logsIn = async (service: AuthService, given: string): Promise<number> =>
  (await loggedIn(service, { email, password: given })).status

/** What a client sees of a reply, but for its time. */
const seen = ({ status, text, headers, cookies }: Answer) => {
  const { date: _date, ...rest } = headers
  return { status, text, headers: rest, cookies }
}

const refusedToken = (reply: Answer): unknown => {
  const errors = reply.json['errors'] as readonly Readonly<Record<string, unknown>>[] | undefined
  return [reply.status, reply.json['code'], errors?.map(({ pointer }) => pointer)]
}
const badToken = [422, 'invalid_body', ['/token']]

const bob = { ...ada, email: 'bob@example.com', username: 'bob' }

describeMails('password resets on Redis', (serve, isStateful) => {
  /** A service with Ada, and the token that a mail brought her. */
  const asked = async (given: ServiceAuth = {}) => {
    const box = mailbox()
    const { EMAIL_VERIFY, ON_EMAIL_VERIFY, ...hooks } = box.hooks
    const service = await serve({ ...hooks, ...given })
    const session = await registered(service)
    expect((await asking(service, email)).status).toBe(202)
    const [mail] = await arrived(service, box, 'reset')
    if (mail === undefined) throw new Error('No mail arrived.')
    return { box, service, session, mail, token: mail.token }
  }

  const isOver = async (service: AuthService, { access, refresh }: Session): Promise<void> => {
    expect(await statuses(service, access)).toEqual(isStateful ? [401, 401] : [200, 200])
    expect((await refreshing(service, refresh)).status).toBe(401)
  }

  it('checklist 42: a token from a mail sets a new password, once, and ends the sessions of before', async () => {
    const { service, session, mail, token } = await asked()
    expect(mail).toMatchObject({ to: email, user: { email, name: ada.name } })
    expect(mail.user).not.toHaveProperty('password')
    expect(token).toMatch(/^[\w-]{43}$/)
    const reply = await confirming(service, token)
    expect([reply.status, reply.text, reply.cookies, reply.headers['cache-control']]).toEqual([
      ...[204, '', [], 'no-store'],
    ])
    expect([await logsIn(service, password), await logsIn(service, ada.password)]).toEqual([200, 401])
    await isOver(service, session)
    expect(refusedToken(await confirming(service, token, 'another lamp for a desk'))).toEqual(badToken)
    expect(await logsIn(service, password)).toBe(200)
  })

  it('checklist 42: the response is the same for every address, and mail goes to the stored one', async () => {
    const box = mailbox()
    const service = await serve({ ...box.hooks, MAIL_MAX_PER_ADDRESS: 0 })
    await registered(service)
    await registered(service, bob)
    await service.execute("update users set is_active = (1 = 0) where username = 'bob'")
    const forms = [email, ' ADA@Example.COM ', 'ａｄａ@example.com', 'nobody@example.com', bob.email]
    const replies = []
    for (const form of [
      ...forms,
      '%',
      "' or 1=1 --",
      'a\u0000b',
      '\ud800',
      'ada',
      'ada@example.com,eve@example.com',
    ])
      replies.push(seen(await asking(service, form)))
    for (const reply of replies) expect(reply).toEqual(replies[0])
    expect(replies[0]).toMatchObject({ status: 202, text: '' })
    const mails = await arrived(service, box, 'reset')
    expect(mails.map(({ to }) => to)).toEqual([email])
  })

  it.each([' ADA@Example.COM ', 'ａｄａ@example.com', 'Ada@EXAMPLE.com'])(
    'checklist 42: %s is the address of a user in another form',
    async (form) => {
      const box = mailbox()
      const service = await serve(box.hooks)
      await registered(service)
      await asking(service, form)
      expect((await arrived(service, box, 'reset')).map(({ to }) => to)).toEqual([email])
    },
  )

  it('checklist 42: a user gets one mail a minute, and each token of the last hour is good', async () => {
    const { box, service, token } = await asked({ MAIL_MAX_PER_ADDRESS: 0 })
    for (let count = 0; count < 5; count += 1) expect((await asking(service, email)).status).toBe(202)
    expect((await arrived(service, box, 'reset')).length).toBe(1)
    later(3599)
    expect((await confirming(service, token)).status).toBe(204)
  })

  it('checklist 42: a token is not good after an hour', async () => {
    const { service, token } = await asked()
    later(3601)
    expect(refusedToken(await confirming(service, token))).toEqual(badToken)
    expect(await logsIn(service, ada.password)).toBe(200)
  })

  it.each<readonly [string, (service: AuthService) => Promise<unknown>]>([
    ['a change of the password', ({ execute }) => execute("update users set password = 'x'")],
    ['a change of the address', ({ execute }) => execute("update users set email = 'new@example.com'")],
    ['a disabled user', ({ execute }) => execute('update users set is_active = (1 = 0)')],
    ['a deleted user', ({ execute }) => execute('delete from users')],
  ])('checklist 42: %s ends a token, and the response does not tell it', async (_what, act) => {
    const { service, token } = await asked()
    const unknown = seen(await confirming(service, 'x'.repeat(43)))
    await act(service)
    const reply = await confirming(service, token)
    expect(refusedToken(reply)).toEqual(badToken)
    expect(Object.keys(seen(reply).headers)).toEqual(Object.keys(unknown.headers))
    const [first, second] = [reply, await confirming(service, 'x'.repeat(43))].map(
      ({ json }) => json['errors'],
    )
    expect(first).toEqual(second)
  })

  it('checklist 42: whatever is not the token is refused', async () => {
    const { service, session, token } = await asked()
    const wrong = [
      ...[token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, token.toLowerCase(), '', 'x', '*'],
      ...[session.access, session.refresh, 'x'.repeat(100_000), '\u0000', '\ud800', '../x', `${token}:taken`],
    ]
    for (const text of wrong)
      expect([text.slice(0, 60), refusedToken(await confirming(service, text))]).toEqual([
        text.slice(0, 60),
        badToken,
      ])
    for (const value of [null, 7, [token], { token }])
      expect((await confirming(service, value)).status).toBe(422)
    expect((await confirming(service, token)).status).toBe(204)
  })

  it('checklist 42: a password that is refused leaves the token, and the old password may be set again', async () => {
    const { service, session, token } = await asked()
    for (const given of ['short', 'password1', '', ada.email, 'ü'.repeat(513), '\ud800']) {
      const reply = await confirming(service, token, given)
      const errors = reply.json['errors'] as readonly { readonly pointer: string }[]
      expect([given, reply.status, ...new Set(errors.map(({ pointer }) => pointer))]).toEqual([
        ...[given, 422, '/password'],
      ])
    }
    expect((await confirming(service, token, ada.password)).status).toBe(204)
    await isOver(service, session)
    expect(await logsIn(service, ada.password)).toBe(200)
  })

  it('checklist 42: of many requests with one token at the same time one is done', async () => {
    const { service, token } = await asked()
    const given = Array.from({ length: 8 }, (_, number) => `a lamp for desk number ${number}`)
    const replies = await Promise.all(given.map((one) => confirming(service, token, one)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(422)])
    const at = replies.findIndex(({ status }) => status === 204)
    expect(await logsIn(service, given[at] ?? '')).toBe(200)
  })

  it('checklist 42: a user without a password gets one', async () => {
    const { service } = await asked({ MAIL_MAX_PER_ADDRESS: 0 })
    const box = mailbox()
    const without = await serve({ ...box.hooks, STATEFUL: isStateful }, { after: service })
    await service.execute('update users set password = null')
    await asking(without, email)
    const [mail] = await arrived(without, box, 'reset')
    expect((await confirming(without, mail?.token)).status).toBe(204)
    expect(await logsIn(without, password)).toBe(200)
    expect(refusedToken(await confirming(without, mail?.token))).toEqual(badToken)
  })

  it('checklist 42: a user who has failed too often may log in at once, and the address is verified', async () => {
    const box = mailbox()
    const service = await serve({ ...box.hooks, LOGIN_MAX_FAILURES: 2 })
    await registered(service)
    for (let count = 0; count < 3; count += 1) await logsIn(service, 'wrong')
    expect(await logsIn(service, ada.password)).toBe(429)
    await asking(service, email)
    const [mail] = await arrived(service, box, 'reset')
    expect(await isVerifiedIn(service, email)).toBe(false)
    expect((await confirming(service, mail?.token)).status).toBe(204)
    expect(await logsIn(service, password)).toBe(200)
    expect(await isVerifiedIn(service, email)).toBe(true)
  })

  it('checklist 42: ON_PASSWORD_CHANGE hears of it, and its error changes nothing', async () => {
    const heard: unknown[] = []
    const { service, token } = await asked({
      ON_PASSWORD_CHANGE: async (user) => {
        heard.push(user)
        throw new HttpError(403, 'Not now.')
      },
    })
    expect((await confirming(service, token)).status).toBe(204)
    expect(heard).toMatchObject([{ email }])
    expect(heard[0]).not.toHaveProperty('password')
    expect(await logsIn(service, password)).toBe(200)
  })

  it('checklist 42: a mail that cannot be sent is a log line without the token', async () => {
    let sent = ''
    const service = await serve({
      PASSWORD_RESET: true,
      ON_PASSWORD_RESET: async (_user, token) => {
        sent = token
        throw Object.assign(new Error(`Cannot send ${token}`), { mail: { text: `/${token}` } })
      },
    })
    await registered(service)
    expect((await asking(service, email)).status).toBe(202)
    await service.rest.close()
    expect(sent).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(service.log)).not.toContain(sent)
    // The token of a mail that did arrive in part is good.
    expect((await confirming(service, sent)).status).toBe(204)
  })

  it('checklist 42: a body that is none is refused, and asks for no mail', async () => {
    const box = mailbox()
    const service = await serve(box.hooks)
    await registered(service)
    for (const body of [
      '{',
      '',
      [],
      {},
      { email: 7 },
      { email: '' },
      { email, more: 1 },
      { email: 'a'.repeat(321) },
    ]) {
      const { status } = await service.send('POST', '/api/auth/password/reset', { body })
      expect([400, 422]).toContain(status)
    }
    expect(
      (await service.send('POST', `/api/auth/password/reset?email=${email}`, { body: { email } })).status,
    ).toBe(400)
    expect(await arrived(service, box, 'reset')).toEqual([])
  })
})

describe('settings of password resets', () => {
  it('name the function that is missing', async () => {
    for (const name of ['PASSWORD_RESET', 'passwordReset'])
      await expect(startFastify({ settings: { SERVICE_AUTH: { [name]: true } } })).rejects.toThrow(
        /ON_PASSWORD_RESET/,
      )
  })

  it('are off by default: there is no route', async () => {
    const service = await startFastify()
    expect((await asking(service, email)).status).toBe(404)
    expect((await confirming(service, 'x')).status).toBe(404)
    await service.stop()
  })

  it('work with camelCase names', async () => {
    const tokens: string[] = []
    const service = await startFastify({
      settings: {
        SERVICE_AUTH: { passwordReset: true, onPasswordReset: (_user, token) => void tokens.push(token) },
      },
    })
    const { access } = sessionIn(await service.send('POST', '/api/auth/register', { body: ada }))
    await asking(service, email)
    await service.rest.close()
    expect((await confirming(service, tokens[0])).status).toBe(204)
    expect(await statuses(service, access)).toEqual([200, 200])
    await service.stop()
  })
})
