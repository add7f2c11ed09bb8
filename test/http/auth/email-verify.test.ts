import { describe, expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { type AuthService, ada, loggedIn, registered, startFastify } from '../../stage/auth-service.ts'
import { arrived, describeMails, isVerifiedIn, mailbox, type SentMail } from '../../stage/mail-service.ts'
import type { Answer } from '../../stage/requests.ts'
import { later } from '../../stage/stateful.ts'

const { email } = ada
const bob = { ...ada, email: 'bob@example.com', username: 'bob' }

const asking = ({ send }: AuthService, address: unknown): Promise<Answer> =>
  send('POST', '/api/auth/email/verify', { body: { email: address } })

const confirming = ({ send }: AuthService, token: unknown): Promise<Answer> =>
  send('POST', '/api/auth/email/verify/confirm', { body: { token } })

const seen = ({ status, text, headers, cookies }: Answer) => {
  const { date: _date, ...rest } = headers
  return { status, text, headers: rest, cookies }
}

const refusedToken = (reply: Answer): unknown => {
  const errors = reply.json['errors'] as readonly Readonly<Record<string, unknown>>[] | undefined
  return [reply.status, reply.json['code'], errors?.map(({ pointer }) => pointer)]
}
const badToken = [422, 'invalid_body', ['/token']]
const served = { modelConfig: { User: { internal: false } } }

describeMails('verified addresses on Redis', (serve) => {
  const begun = async (options: object = {}) => {
    const box = mailbox()
    const service = await serve({ ...box.hooks, MAIL_MAX_PER_ADDRESS: 0 }, options)
    const session = await registered(service)
    const [mail] = await arrived(service, box, 'verify')
    if (mail === undefined) throw new Error('No mail arrived.')
    return { box, service, session, mail, token: mail.token }
  }

  it('checklist 43: a registration sends a mail, whose token verifies the address once', async () => {
    const { service, mail, token, session } = await begun()
    expect(mail).toMatchObject({ to: email, user: { email } })
    expect(mail.user).not.toHaveProperty('password')
    expect(await isVerifiedIn(service, email)).toBe(false)
    const reply = await confirming(service, token)
    expect([reply.status, reply.text, reply.cookies, reply.headers['cache-control']]).toEqual([
      ...[204, '', [], 'no-store'],
    ])
    expect(await isVerifiedIn(service, email)).toBe(true)
    expect(refusedToken(await confirming(service, token))).toEqual(badToken)
    const me = await service.send('GET', '/api/auth/me', { token: session.access })
    expect(me.json['email_verified'] ?? me.json['emailVerifiedAt']).toBeTruthy()
  })

  it('checklist 43: the response is the same for every address, and a verified one gets no mail', async () => {
    const { box, service, token } = await begun()
    await registered(service, bob)
    await confirming(service, token)
    later(61)
    const forms = [
      email,
      bob.email,
      ' BOB@Example.COM ',
      'nobody@example.com',
      'x',
      '%',
      'a\u0000b',
      '\ud800',
    ]
    const replies = []
    for (const form of forms) replies.push(seen(await asking(service, form)))
    for (const reply of replies) expect(reply).toEqual(replies[0])
    expect(replies[0]).toMatchObject({ status: 202, text: '' })
    // The mail of the registration was the one of this minute, by the clock of the cache.
    const to = (await arrived(service, box, 'verify')).map((mail: SentMail) => mail.to)
    expect(to).toEqual([email, bob.email])
  })

  it('checklist 43: a token verifies the user it was sent to, and nobody else', async () => {
    const { box, service } = await begun()
    await registered(service, bob)
    const mails = await arrived(service, box, 'verify')
    expect((await confirming(service, mails.find(({ to }) => to === bob.email)?.token)).status).toBe(204)
    expect([await isVerifiedIn(service, email), await isVerifiedIn(service, bob.email)]).toEqual([
      false,
      true,
    ])
  })

  it('checklist 43: a token is for one purpose', async () => {
    const { box, service, token } = await begun()
    await service.send('POST', '/api/auth/password/reset', { body: { email } })
    const [reset] = await arrived(service, box, 'reset')
    expect(refusedToken(await confirming(service, reset?.token))).toEqual(badToken)
    const body = { token, password: 'a lamp for every desk' }
    const reply = await service.send('POST', '/api/auth/password/reset/confirm', { body })
    expect(refusedToken(reply)).toEqual(badToken)
    expect((await loggedIn(service)).status).toBe(200)
    expect((await confirming(service, token)).status).toBe(204)
  })

  it('checklist 43: whatever is not the token is refused, and so is the token after an hour', async () => {
    const { service, session, token } = await begun()
    for (const text of [
      token.slice(1),
      `${token}A`,
      token.toUpperCase(),
      session.access,
      '',
      `${token}:taken`,
    ])
      expect(refusedToken(await confirming(service, text))).toEqual(badToken)
    later(3601)
    expect(refusedToken(await confirming(service, token))).toEqual(badToken)
    expect(await isVerifiedIn(service, email)).toBe(false)
  })

  it('checklist 43: a changed password leaves a token, a deleted user ends it', async () => {
    const { service, token } = await begun()
    await service.execute("update users set password = 'x'")
    expect((await confirming(service, token)).status).toBe(204)
    const other = await begun()
    await other.service.execute('delete from users')
    expect(refusedToken(await confirming(other.service, other.token))).toEqual(badToken)
  })

  it.each(['PATCH', 'PUT'])(
    'checklist 43: a new address by %s is not verified, and ends the token',
    async (method) => {
      const { box, service, session, token } = await begun(served)
      await confirming(service, token)
      const change = (address: string) =>
        service.send(method, `/api/users/${session.user['id']}`, {
          ...{ token: session.access, body: { email: address, username: 'ada', name: ada.name } },
        })
      // The same address in another form is not a new one.
      expect((await change(' ADA@example.com')).status).toBe(200)
      expect(await isVerifiedIn(service, email)).toBe(true)
      expect((await change('new@example.com')).status).toBe(200)
      expect(await isVerifiedIn(service, 'new@example.com')).toBe(false)
      const [first] = await arrived(service, box, 'verify')
      expect(refusedToken(await confirming(service, first?.token))).toEqual(badToken)
    },
  )

  it('checklist 43: a token for an address that changes meanwhile verifies nothing', async () => {
    const { service, session, token } = await begun(served)
    const body = { email: 'new@example.com' }
    await service.send('PATCH', `/api/users/${session.user['id']}`, { token: session.access, body })
    expect(refusedToken(await confirming(service, token))).toEqual(badToken)
    expect(await isVerifiedIn(service, 'new@example.com')).toBe(false)
  })

  it('checklist 43: clients cannot write the column', async () => {
    const { service, session } = await begun(served)
    for (const name of ['email_verified', 'emailVerifiedAt', 'email_verified_at'])
      for (const value of [true, '2026-01-01T00:00:00Z']) {
        const body = { ...bob, [name]: value }
        expect((await service.send('POST', '/api/auth/register', { body })).status).toBe(422)
        const path = `/api/users/${session.user['id']}`
        const sent = { token: session.access, body: { [name]: value } }
        expect((await service.send('PATCH', path, sent)).status).toBe(422)
      }
    expect(await isVerifiedIn(service, email)).toBe(false)
  })

  it('checklist 43: a mail that cannot be sent fails no registration', async () => {
    const tokens: string[] = []
    const service = await serve({
      EMAIL_VERIFY: true,
      ON_EMAIL_VERIFY: async (_user, token) => {
        tokens.push(token)
        throw new HttpError(403, `No mail with ${token}`)
      },
    })
    expect((await registered(service)).access).toBeTruthy()
    await service.rest.close()
    expect(tokens.length).toBe(1)
    expect(JSON.stringify(service.log)).not.toContain(tokens[0])
  })

  it('checklist 43: a user who is not active yet gets the mail, and a refused registration none', async () => {
    const box = mailbox()
    let service: AuthService | undefined
    let refuses = false
    service = await serve({
      ...box.hooks,
      ON_REGISTER: async () => {
        if (refuses) throw new HttpError(403, 'Not now.')
        await service?.execute('update users set is_active = (1 = 0)')
      },
    })
    const reply = await service.send('POST', '/api/auth/register', { body: ada })
    expect([reply.status, reply.json['access']]).toEqual([201, undefined])
    const [mail] = await arrived(service, box, 'verify')
    expect((await confirming(service, mail?.token)).status).toBe(204)
    refuses = true
    expect((await service.send('POST', '/api/auth/register', { body: bob })).status).toBe(403)
    expect((await arrived(service, box, 'verify')).length).toBe(1)
  })

  it('checklist 43: a login may ask for a verified address', async () => {
    const box = mailbox()
    const service = await serve({
      ...box.hooks,
      ON_LOGIN: (user) => {
        const known = Reflect.get(user, 'email_verified') ?? Reflect.get(user, 'emailVerifiedAt')
        if (!known) throw new HttpError(403, 'Open the link in the mail first.')
      },
    })
    await registered(service)
    expect((await loggedIn(service)).status).toBe(403)
    const [mail] = await arrived(service, box, 'verify')
    await confirming(service, mail?.token)
    expect((await loggedIn(service)).status).toBe(200)
  })
})

describe('settings of verified addresses', () => {
  it('name what is missing: the function, and the column', async () => {
    const start = (SERVICE_AUTH: object) => startFastify({ settings: { SERVICE_AUTH } })
    await expect(start({ EMAIL_VERIFY: true })).rejects.toThrow(/ON_EMAIL_VERIFY/)
    await expect(start({ EMAIL_VERIFY: true, ON_EMAIL_VERIFY: () => undefined })).rejects.toThrow(
      /User .*email_verified.*email_verified_at/,
    )
  })

  it('are off by default: there is no route', async () => {
    const service = await startFastify()
    expect((await asking(service, email)).status).toBe(404)
    expect((await confirming(service, 'x')).status).toBe(404)
    await service.stop()
  })
})
