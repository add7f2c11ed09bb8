import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../../src/cache/cache.ts'
import { type Cache, CacheError } from '../../../src/index.ts'
import { loggedIn, sessionIn } from '../../stage/auth-service.ts'
import { maybe } from '../../stage/columns.ts'
import { arrived, type SentMail } from '../../stage/mail-service.ts'
import type { Answer } from '../../stage/requests.ts'
import { later, refreshing, statuses } from '../../stage/stateful.ts'
import { ids, type ManagedService, type Managing, password, startManaged } from './managed-stage.ts'

const eve = { email: 'eve@example.com', name: 'Eve' }
const chosen = 'another lamp for a desk'

const accepting = ({ manage }: ManagedService, token: unknown, given = chosen) =>
  manage('invite/confirm', undefined, { token, password: given })

const resetting = ({ send }: ManagedService, token: unknown, given = chosen) =>
  send('POST', '/api/auth/password/reset/confirm', { body: { token, password: given } })

const logsIn = async (service: ManagedService, email: string, given = password): Promise<number> =>
  (await loggedIn(service, { email, password: given })).status

const pointersOf = ({ status, json }: Answer): unknown => [
  status,
  [...new Set((json['errors'] as readonly { pointer: string }[] | undefined)?.map(({ pointer }) => pointer))],
]
const badToken = [422, ['/token']]

/** A service in which Mark has invited Eve, and the mails to her. */
const invited = async (given: Managing = {}) => {
  const service = await startManaged(given)
  const token = await service.token('mark')
  const invite = (body: object = eve) => service.manage('invite', token, body)
  const made = await invite()
  expect(made.status).toBe(201)
  const mailsNow = () => arrived(service, service.box, 'invite')
  const [mail] = await mailsNow()
  return { service, token, invite, made, mailsNow, mail: mail as SentMail }
}

describe('an invitation', () => {
  it('checklist 49: creates a user who sets a password with the token of the mail, once', async () => {
    const { service, made, mail } = await invited()
    expect(made.headers['location']).toBe('/api/users/6')
    expect(made.json).toMatchObject({ id: 6, email: 'eve@example.com', name: 'Eve', team: 1, role: 'member' })
    expect(made.json).not.toHaveProperty('password')
    expect(mail).toMatchObject({ to: 'eve@example.com', user: { id: 6 } })
    expect(mail.user).not.toHaveProperty('password')
    for (const given of [password, '', '!invited:'])
      expect(await logsIn(service, 'eve@example.com', given)).not.toBe(200)
    const weak = await accepting(service, mail.token, '12345678')
    expect(pointersOf(weak)).toEqual([422, ['/password']])
    const accepted = await accepting(service, mail.token)
    expect([accepted.status, accepted.text, accepted.headers['cache-control']]).toEqual([204, '', 'no-store'])
    expect(await logsIn(service, 'eve@example.com', chosen)).toBe(200)
    const [row] = await service.rows('select email_verified from users where id = 6')
    expect(row).toEqual({ email_verified: 1 })
    expect(pointersOf(await accepting(service, mail.token, 'a third lamp for desks'))).toEqual(badToken)
    expect(service.events()).toEqual([
      ['auth.user_invited', '6', '2'],
      ['auth.invitation_sent', '6'],
      ['auth.invitation_accepted', '6'],
    ])
    expect(await service.entries()).toMatchObject([
      { caller: '2', act: 'create', record: '6', changes: { email: { after: 'eve@example.com' } } },
      { caller: null, act: 'update', record: '6', changes: { password: {} } },
    ])
  })

  it('is not sent again to a user who is disabled, and keeps the earlier token', async () => {
    const { service, invite, mail } = await invited()
    await service.execute('update users set is_active = (1 = 0) where id = 6')
    const reply = await invite()
    expect([reply.status, reply.json['code']]).toEqual([409, 'conflict'])
    await service.execute('update users set is_active = (1 = 1) where id = 6')
    expect((await accepting(service, mail.token)).status).toBe(204)
  })

  it('takes the address of a registration that was abandoned', async () => {
    const service = await startManaged()
    const token = await service.token('mark')
    const columns = 'insert into users (email, password) values'
    await service.execute(`${columns} ('eve@example.com', '!registering:1:a')`)
    expect((await service.manage('invite', token, eve)).status).toBe(201)
    expect(await service.rows("select count(*) as n from users where password like '!registering%'")).toEqual(
      [{ n: 0 }],
    )
  })

  it('normalizes the address, and is for users whom no one has', async () => {
    const { service, invite } = await invited()
    for (const email of ['mark@example.com', ' BEN@Example.com', 'tom@example.com', 'anna@example.com']) {
      const reply = await invite({ email })
      expect([email, reply.status, reply.json['code']]).toEqual([email, 409, 'unique_conflict'])
    }
    expect((await invite({ email: ' New@Example.COM ' })).json['email']).toBe('new@example.com')
    expect(await service.rows('select count(*) as n from users')).toEqual([{ n: 7 }])
  })

  it('of an address again mails again after a pause, and ends the earlier token', async () => {
    const { service, invite, mail, mailsNow } = await invited()
    const tooSoon = await invite()
    expect([tooSoon.status, Number(tooSoon.headers['retry-after']) > 0]).toEqual([429, true])
    service.endPauses()
    const again = await invite({ email: ' EVE@example.com', name: 'Another name' })
    expect([again.status, again.headers['location']]).toEqual([201, '/api/users/6'])
    expect(again.json).toMatchObject({ id: 6, name: 'Eve' })
    const [, second] = await mailsNow()
    expect(pointersOf(await accepting(service, mail.token))).toEqual(badToken)
    expect((await accepting(service, second?.token)).status).toBe(204)
    service.endPauses()
    expect((await invite()).status).toBe(409)
  })

  it('of another team is not invited again, and neither is one whom the caller may not manage', async () => {
    const { service, invite } = await invited()
    service.endPauses()
    await service.execute('update users set team = 2 where id = 6')
    const before = await service.rows('select * from users where id = 6')
    expect((await invite()).status).toBe(409)
    await service.execute("update users set team = 1, role = 'admin' where id = 6")
    expect((await invite()).status).toBe(403)
    expect(await service.rows('select password from users where id = 6')).toMatchObject([
      { password: before[0]?.['password'] },
    ])
  })

  it('checklist 49: has a token for nothing else, and no other token is for it', async () => {
    const { service, mail } = await invited()
    expect(pointersOf(await resetting(service, mail.token))).toEqual(badToken)
    const verifying = { body: { token: mail.token } }
    expect((await service.send('POST', '/api/auth/email/verify/confirm', verifying)).status).toBe(422)
    expect((await service.manage(`${ids.ben}/reset`, await service.token('mark'))).status).toBe(200)
    const [reset] = await arrived(service, service.box, 'reset')
    expect(pointersOf(await accepting(service, reset?.token))).toEqual(badToken)
    for (const token of ['', 'x'.repeat(43), '__proto__', 'constructor', 'é', 'x'.repeat(10_000)])
      expect([token, pointersOf(await accepting(service, token))]).toEqual([token, badToken])
    // It was not used up by any of these.
    expect((await accepting(service, mail.token)).status).toBe(204)
  })

  it('does not come back by a mail for a new password', async () => {
    const { service } = await invited()
    const asked = await service.send('POST', '/api/auth/password/reset', { body: { email: eve.email } })
    expect(asked.status).toBe(202)
    const managed = await service.manage('6/reset', await service.token('mark'))
    expect([managed.status, managed.json['code']]).toEqual([409, 'conflict'])
    expect(await arrived(service, service.box, 'reset')).toEqual([])
  })

  it('ends with its time, with the address, and when the user is disabled or deleted', async () => {
    const { service, token, mail } = await invited({ settings: { INVITATION_EXP: 7200 } })
    const refused = async (): Promise<void> =>
      expect(pointersOf(await accepting(service, mail.token))).toEqual(badToken)
    expect((await service.manage('6/disable', token)).status).toBe(200)
    await refused()
    expect((await service.manage('6/enable', token)).status).toBe(200)
    await service.execute("update users set email = 'other@example.com' where id = 6")
    await refused()
    await service.execute("update users set email = 'eve@example.com' where id = 6")
    later(7199)
    expect(pointersOf(await accepting(service, mail.token, '12345678'))).toEqual([422, ['/password']])
    later(2)
    await refused()
  })

  it('that was accepted meanwhile is not sent again', async () => {
    const given: { meanwhile?: (() => Promise<boolean>) | undefined } = {}
    const { service, invite, mail } = await invited({
      controller: {
        permissions: {
          // Inside of the transaction, a synchronous driver cannot wait.
          manageUsers: (_request: unknown, user: object | undefined) =>
            user === undefined ? true : (given.meanwhile?.() ?? true),
        },
      },
    })
    service.endPauses()
    given.meanwhile = async () => {
      given.meanwhile = undefined
      return (await accepting(service, mail.token)).status === 204
    }
    expect((await invite()).status).toBe(409)
    expect(await logsIn(service, 'eve@example.com', chosen)).toBe(200)
  })

  it('is not mailed to a user who is disabled before it leaves', async () => {
    const service = await startManaged()
    const token = await service.token('mark')
    const { json } = await service.manage('invite', token, eve)
    expect((await service.manage(`${json['id']}/disable`, token)).status).toBe(200)
    expect(await arrived(service, service.box, 'invite')).toEqual([])
  })

  it('by two requests at once makes one user, with a token that works', async () => {
    const service = await startManaged()
    const [mark, anna] = [await service.token('mark'), await service.token('anna')]
    const replies = await Promise.all(
      [mark, anna, mark, anna].map((token) => service.manage('invite', token, eve)),
    )
    expect(replies.map(({ status }) => status).filter((status) => status === 201).length).toBeGreaterThan(0)
    for (const { status } of replies) expect([201, 429]).toContain(status)
    const rows = await service.rows("select id from users where email = 'eve@example.com'")
    expect(rows).toHaveLength(1)
    const mails = await arrived(service, service.box, 'invite')
    expect(mails).toHaveLength(1)
    expect((await accepting(service, mails[0]?.token)).status).toBe(204)
  })

  it('of an address that another request has invited meanwhile is repeated', async () => {
    const given: { meanwhile?: (() => Promise<void>) | undefined } = {}
    const service: ManagedService = await startManaged({
      controller: { beforeCreate: () => given.meanwhile?.() },
    })
    const [mark, anna] = [await service.token('mark'), await service.token('anna')]
    given.meanwhile = async () => {
      given.meanwhile = undefined
      expect((await service.manage('invite', anna, eve)).status).toBe(201)
      service.endPauses()
    }
    const made = await service.manage('invite', mark, eve)
    expect([made.status, made.headers['location']]).toEqual([201, '/api/users/6'])
    const mails = await arrived(service, service.box, 'invite')
    expect((await accepting(service, mails.at(-1)?.token)).status).toBe(204)
  })

  it('is for the scope of the caller', async () => {
    const service = await startManaged()
    await service.execute("update users set role = 'manager' where name = 'tom'")
    const made = await service.manage('invite', await service.token('tom'), eve)
    expect([made.status, made.json['team']]).toEqual([201, 2])
  })

  it('accepted twice at once sets one password', async () => {
    const { service, mail } = await invited()
    const passwords = ['the first lamp of all', 'the second lamp of all']
    const replies = await Promise.all(passwords.map((given) => accepting(service, mail.token, given)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 422])
  })

  it('whose mail fails is kept, can be repeated, and leaves no token in the log', async () => {
    const tokens: string[] = []
    const given = { fails: true }
    const service = await startManaged({
      mail: {
        ON_INVITATION: (_user, token) => {
          tokens.push(token)
          if (given.fails) throw new Error(`Could not send https://example.com/#${token}`)
        },
      },
    })
    const token = await service.token('mark')
    expect((await service.manage('invite', token, eve)).status).toBe(201)
    await service.rest.close()
    expect(service.log.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(JSON.stringify(service.log)).not.toContain(tokens[0])
    expect(service.events()).toEqual([['auth.user_invited', '6', '2']])
    given.fails = false
    service.endPauses()
    expect((await service.manage('invite', token, eve)).status).toBe(201)
    await service.rest.close()
    expect((await accepting(service, tokens[1])).status).toBe(204)
  })

  it('is refused while the cache is away, and stores nothing', async () => {
    const given = { isAway: false }
    const cache = memoryCache()
    const away: Cache = {
      ...cache,
      count(...asked) {
        if (given.isAway) throw new CacheError('down')
        return cache.count(...asked)
      },
    }
    const service = await startManaged({ options: { settings: { CACHE: away } } })
    const token = await service.token('mark')
    given.isAway = true
    expect((await service.manage('invite', token, eve)).status).toBe(503)
    expect((await service.manage(`${ids.ben}/reset`, token)).status).toBe(503)
    expect(await service.rows('select count(*) as n from users')).toEqual([{ n: 5 }])
    given.isAway = false
    expect((await service.manage('invite', token, eve)).status).toBe(201)
  })

  it('counts as a mail of the address that asks for it', async () => {
    const service = await startManaged({ settings: { MAIL_MAX_PER_ADDRESS: 2 } })
    const token = await service.token('anna')
    const statuses = []
    for (const name of ['a', 'b', 'c'])
      statuses.push((await service.manage('invite', token, { email: `${name}@example.com` })).status)
    statuses.push((await service.manage(`${ids.ben}/reset`, token)).status)
    expect(statuses).toEqual([201, 201, 429, 429])
    expect(await service.rows("select id from users where email = 'c@example.com'")).toEqual([])
  })

  it('keeps the address from a registration', async () => {
    const { service } = await invited()
    const body = { ...eve, password: chosen }
    expect((await service.send('POST', '/api/auth/register', { body })).status).toBe(409)
  })
})

describe('a user', () => {
  it('is disabled and enabled', async () => {
    const service = await startManaged()
    const token = await service.token('mark')
    const off = await service.manage(`${ids.ben}/disable`, token)
    expect([off.status, off.json['id'], off.json['is_active']]).toEqual([200, ids.ben, false])
    expect(await logsIn(service, 'ben@example.com')).toBe(401)
    expect((await service.manage(`${ids.ben}/disable`, token)).status).toBe(200)
    expect((await service.manage(`${ids.ben}/reset`, token)).status).toBe(409)
    expect((await service.manage(`${ids.ben}/enable`, token)).status).toBe(200)
    expect(await logsIn(service, 'ben@example.com')).toBe(200)
    const changes = (before: boolean) => ({ is_active: { before, after: !before } })
    expect(await service.entries()).toMatchObject([
      { caller: '2', act: 'update', record: '4', changes: changes(true) },
      { caller: '2', act: 'update', record: '4', changes: changes(false) },
    ])
    expect(service.events().slice(-1)).toEqual([['auth.user_enabled', '4', '2']])
  })

  it('has a time at which it was disabled, where there is a column for it', async () => {
    const service = await startManaged({ columns: { disabled_at: maybe('time') } })
    const token = await service.token('mark')
    const off = await service.manage(`${ids.ben}/disable`, token)
    expect(off.json['disabled_at']).toMatch(/^20\d\d-/)
    expect(await logsIn(service, 'ben@example.com')).toBe(401)
    const again = await service.manage(`${ids.ben}/disable`, token)
    expect(again.json['disabled_at']).toBe(off.json['disabled_at'])
    expect((await service.manage(`${ids.ben}/enable`, token)).json['disabled_at']).toBeNull()
    expect(await logsIn(service, 'ben@example.com')).toBe(200)
  })

  it('checklist 49: loses all sessions by it in stateful mode, also those that a login opens meanwhile', async () => {
    const service: ManagedService = await startManaged({
      settings: {
        STATEFUL: true,
        // It runs once the password and the user are checked.
        ON_LOGIN: async ({ email }) => {
          if (email !== 'tom@example.com') return
          const reply = await service.manage(`${ids.tom}/disable`, await service.token('anna'))
          expect(reply.status).toBe(200)
        },
      },
    })
    const session = sessionIn(await loggedIn(service, { email: 'ben@example.com', password }))
    const anna = await service.token('anna')
    expect((await service.manage(`${ids.ben}/disable`, anna)).status).toBe(200)
    const isOver = async ({ access, refresh }: typeof session): Promise<void> => {
      expect(await statuses(service, access)).toEqual([401, 401])
      expect((await refreshing(service, refresh)).status).toBe(401)
    }
    await isOver(session)
    expect((await service.manage(`${ids.ben}/enable`, anna)).status).toBe(200)
    await isOver(session)
    const meanwhile = await loggedIn(service, { email: 'tom@example.com', password })
    expect((await service.manage(`${ids.tom}/enable`, anna)).status).toBe(200)
    if (meanwhile.status === 200) await isOver(sessionIn(meanwhile))
  })

  it('stays as it is if the caller is disabled meanwhile', async () => {
    const given: { meanwhile?: (() => Promise<boolean>) | undefined } = {}
    const service = await startManaged({
      controller: { permissions: { manageUsers: () => given.meanwhile?.() ?? true } },
    })
    const token = await service.token('mark')
    given.meanwhile = async () => {
      given.meanwhile = undefined
      await service.execute(`update users set is_active = 0 where id = ${ids.mark}`)
      return true
    }
    expect((await service.manage(`${ids.ben}/disable`, token)).status).toBe(401)
    expect(await logsIn(service, 'ben@example.com')).toBe(200)
  })

  it('and another one cannot disable each other at once', async () => {
    const service = await startManaged()
    await service.execute("update users set role = 'admin' where id = 2")
    const [anna, mark] = [await service.token('anna'), await service.token('mark')]
    await Promise.all([
      service.manage(`${ids.mark}/disable`, anna),
      service.manage(`${ids.anna}/disable`, mark),
    ])
    const active = await service.rows("select id from users where role = 'admin' and is_active = 1")
    expect(active).toHaveLength(1)
  })

  it('gets a mail for a new password, at the stored address, with a pause', async () => {
    const service = await startManaged()
    const token = await service.token('mark')
    const reply = await service.manage(`${ids.ben}/reset`, token)
    expect([reply.status, reply.json['id']]).toEqual([200, ids.ben])
    expect((await service.manage(`${ids.ben}/reset`, token)).status).toBe(429)
    const [mail, ...more] = await arrived(service, service.box, 'reset')
    expect([mail?.to, more]).toEqual(['ben@example.com', []])
    expect((await resetting(service, mail?.token)).status).toBe(204)
    expect(await logsIn(service, 'ben@example.com', chosen)).toBe(200)
    expect(service.events()).toEqual([
      ['auth.password_reset_sent', '4'],
      ['auth.password_reset', '4'],
    ])
    await service.execute(`update users set email = null, username = 'tom' where id = ${ids.tom}`)
    expect((await service.manage(`${ids.tom}/reset`, await service.token('anna'))).status).toBe(409)
  })

  it('whom the caller may not read is managed all the same', async () => {
    const service = await startManaged({
      controller: { permissions: { read: () => false, manageUsers: () => true } },
    })
    const token = await service.token('mark')
    const off = await service.manage(`${ids.ben}/disable`, token)
    expect([off.status, off.text]).toEqual([204, ''])
    const made = await service.manage('invite', token, eve)
    expect([made.status, made.headers['location']]).toEqual([204, '/api/users/6'])
  })
})
