import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { type Cache, defineSettings } from '../../src/index.ts'
import { type AuthService, ada, loggedIn, registered, secret } from '../stage/auth-service.ts'
import { openSqlite } from '../stage/databases.ts'
import { declare } from '../stage/declared.ts'
import { arrived, isVerified, mailbox, startMailing, usersWith } from '../stage/mail-service.ts'
import { type Answer, senderTo } from '../stage/requests.ts'
import { serving } from '../stage/stateful.ts'
import { hashingGate } from './hashing-gate.ts'
import { gate } from './held.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const users = declare(usersWith(isVerified)).sqlite
const { email } = ada
const password = 'a lamp for every desk'

const asking = (
  { send }: Pick<AuthService, 'send'>,
  body: unknown = { email },
  address?: string,
): Promise<Answer> =>
  send('POST', '/api/auth/password/reset', { body, ...(address !== undefined && { address }) })

const confirming = ({ send }: AuthService, token: unknown, given = password): Promise<Answer> =>
  send('POST', '/api/auth/password/reset/confirm', { body: { token, password: given } })

/** A cache whose entries can be seen. */
const watched = () => {
  const cache = memoryCache()
  const held = new Set<string>()
  const watching: Cache = {
    ...cache,
    add: (key, value, seconds) => {
      held.add(`${key} ${value}`)
      return cache.add(key, value, seconds)
    },
    count: (key, by, seconds) => {
      if (by > 0) held.add(key)
      return cache.count(key, by, seconds)
    },
  }
  return { cache: watching, held }
}

describe('mails with tokens', () => {
  const start = startMailing
  const serve = serving(start)

  it('checklist 42: a thousand requests for one address are one mail, and one token in the cache', async () => {
    const { cache, held } = watched()
    const box = mailbox()
    const service = await serve({ ...box.hooks, MAIL_MAX_PER_ADDRESS: 0 }, { settings: { CACHE: cache } })
    await registered(service)
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, at) =>
          expect((await asking(service, { email: at % 2 === 0 ? email : email.toUpperCase() })).status).toBe(
            202,
          ),
        ),
      )
      await service.rest.close()
    }
    expect((await arrived(service, box, 'reset')).length).toBe(1)
    const tokens = [...held].filter((entry) => entry.includes('password-reset') && entry.includes('{'))
    expect(tokens.length).toBe(1)
  })

  it('checklist 42: requests for unknown addresses leave nothing in the cache', async () => {
    const { cache, held } = watched()
    const service = await serve(
      { ...mailbox().hooks, MAIL_MAX_PER_ADDRESS: 0 },
      { settings: { CACHE: cache } },
    )
    for (let count = 0; count < 100; count += 1)
      await asking(service, { email: `nobody${count}@example.com` })
    await service.rest.close()
    expect([...held]).toEqual([])
  })

  it('checklist 42: the cache has no token, and what it has opens nothing', async () => {
    const { cache, held } = watched()
    const box = mailbox()
    const service = await serve(box.hooks, { settings: { CACHE: cache } })
    await registered(service)
    await asking(service)
    const mails = [...(await arrived(service, box, 'reset')), ...(await arrived(service, box, 'verify'))]
    expect(mails.length).toBe(2)
    const kept = [...held].join('\n')
    for (const { token } of mails) expect(kept).not.toContain(token)
    for (const part of kept.split(/[\s:"]+/)) {
      if (part !== '') expect((await confirming(service, part)).status).toBe(422)
    }
  })

  it('checklist 42: an address asks for 20 mails in a while, of both kinds together, known or not', async () => {
    const service = await serve(mailbox().hooks)
    await registered(service)
    const paths = ['password/reset', 'email/verify']
    const statuses: number[] = []
    for (let count = 0; count < 22; count += 1) {
      const body = { email: count % 3 === 0 ? email : 'nobody@example.com' }
      const sent = { body, address: '203.0.113.7' }
      const reply = await service.send('POST', `/api/auth/${paths[count % 2]}`, sent)
      statuses.push(reply.status)
      if (reply.status === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(statuses).toEqual([...Array(20).fill(202), 429, 429])
    expect((await asking(service, { email }, '203.0.113.8')).status).toBe(202)
  })

  it('checklist 42: no response waits for a mail', async () => {
    const held = gate()
    const box = mailbox(() => held.pass())
    const service = await serve(box.hooks)
    await registered(service)
    expect((await asking(service)).status).toBe(202)
    const closed = service.rest.close()
    await held.reached
    expect((await asking(service, { email: 'nobody@example.com' })).status).toBe(202)
    expect(box.mails).toEqual([])
    held.open()
    await closed
    expect((await arrived(service, box, 'reset')).length).toBe(1)
  })

  it.each([
    ['password', "update users set password = 'x'"],
    ['address', "update users set email = 'new@example.com'"],
  ])(
    'checklist 42: a changed %s ends a token, also while the new password is hashed',
    async (_what, change) => {
      const box = mailbox()
      const service = await serve(box.hooks)
      await registered(service)
      await asking(service)
      const [mail] = await arrived(service, box, 'reset')
      const hashing = hashingGate()
      hashing.close()
      const reply = confirming(service, mail?.token)
      await vi.waitFor(() => expect(hashing.begun).toBe(1))
      await service.execute(change)
      const before = await service.rows('select * from users')
      hashing.remove()
      expect((await reply).json).toMatchObject({ status: 422, errors: [{ pointer: '/token' }] })
      expect(await service.rows('select * from users')).toEqual(before)
    },
  )

  it('checklist 42: one token costs one hash at a time, however often it is sent', async () => {
    const box = mailbox()
    const service = await serve(box.hooks)
    await registered(service)
    await asking(service)
    const [mail] = await arrived(service, box, 'reset')
    const hashing = hashingGate()
    hashing.close()
    const replies = Array.from({ length: 50 }, () => confirming(service, mail?.token))
    await vi.waitFor(() => expect(hashing.begun).toBe(1))
    const refused = await Promise.race(replies)
    expect(refused.status).toBe(422)
    hashing.open()
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    expect([statuses.filter((status) => status === 204).length, hashing.begun]).toEqual([1, 1])
    hashing.remove()
  })

  it('checklist 42: nothing is hashed without a token that is good', async () => {
    const service = await serve(mailbox().hooks)
    await registered(service)
    const hashing = hashingGate()
    for (let count = 0; count < 20; count += 1) await confirming(service, 'x'.repeat(43))
    expect(hashing.begun).toBe(0)
    hashing.remove()
  })

  it('checklist 42: a token that one instance sends is good at another, for one of them', async () => {
    const CACHE = memoryCache()
    const box = mailbox()
    const options = { settings: { CACHE } }
    const one = await serve(box.hooks, options)
    const other = await serve(box.hooks, { ...options, after: one })
    await registered(one)
    await asking(one)
    await asking(other)
    const [mail, second] = await arrived(one, box, 'reset')
    expect(second).toBe(undefined)
    const replies = await Promise.all([one, other, one, other].map((each) => confirming(each, mail?.token)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 422, 422, 422])
    expect((await loggedIn(other, { email, password })).status).toBe(200)
  })

  it('checklist 42: a full cache sends no mail, and ends no session', async () => {
    const CACHE = memoryCache({ maxBytes: 65_536 })
    const box = mailbox()
    const service = await serve({ ...box.hooks, STATEFUL: true }, { settings: { CACHE } })
    const { access } = await registered(service)
    await service.rest.close()
    for (let count = 0; count < 10_000; count += 1)
      try {
        void CACHE.add(`token ${count}`, 'revoked', 100_000)
      } catch {
        break
      }
    expect((await asking(service)).status).toBe(202)
    expect(await arrived(service, box, 'reset')).toEqual([])
    expect((await service.send('GET', '/api/auth/me', { token: access })).status).toBe(200)
  })
})

describe('the response to a request for a mail', () => {
  it('checklist 42: leaves before the database is asked, whether the address is known or not', async () => {
    const statements: string[] = []
    const database = openSqlite(users.tables, users.ddl, { onStatement: (text) => statements.push(text) })
    const app = fetchApp({ base: '/api', clientAddress: () => '127.0.0.1' })
    const settings = defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ...mailbox().hooks } })
    const rest = new ModelRest(app, { models: database.models, auth: true, settings } as never)
    await rest.init()
    const send = senderTo(app)
    await registered({ send })
    await rest.close()
    const asked = async (address: string): Promise<readonly number[]> => {
      statements.length = 0
      const before = app.fetch(
        new Request('http://localhost/api/auth/password/reset', {
          ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
          body: JSON.stringify({ email: address }),
        }),
      )
      const { status } = await before
      const atResponse = statements.length
      await rest.close()
      return [status, atResponse, statements.length]
    }
    const known = await asked(email)
    expect(known).toEqual([202, 0, 1])
    expect(await asked('nobody@example.com')).toEqual(known)
    await database.close()
  })

  it('checklist 42: a key that comes again gives the next user nothing', async () => {
    const database = openSqlite(
      users.tables,
      // Such keys come again.
      users.ddl.replaceAll(' autoincrement', ''),
    )
    const app = fetchApp({ base: '/api', clientAddress: () => '127.0.0.1' })
    const box = mailbox()
    const settings = defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ...box.hooks } })
    const rest = new ModelRest(app, { models: database.models, auth: true, settings } as never)
    await rest.init()
    const send = senderTo(app)
    const service = { send, rest } as unknown as AuthService
    await registered(service)
    await asking(service)
    const [reset] = await arrived(service, box, 'reset')
    const [verify] = await arrived(service, box, 'verify')
    await database.execute('delete from users')
    for (const next of [{ ...ada, email: 'bob@example.com', username: 'bob' }, ada]) {
      expect((await registered(service, next)).user['id']).toBe(1)
      expect((await confirming(service, reset?.token)).status).toBe(422)
      const body = { token: verify?.token }
      const verified = await send('POST', '/api/auth/email/verify/confirm', { body })
      // The same person with the same address has proved it.
      expect(verified.status).toBe(next === ada ? 204 : 422)
      await database.execute('delete from users')
    }
    await database.close()
  })
})
