import { afterEach, expect, it, vi } from 'vitest'
import { naming } from '../../naming.ts'
import { type AuthService, ada, describeServices, loggedIn } from '../../stage/auth-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'
import { later } from '../../stage/stateful.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const { email, password } = ada
const wrong = 'another battery of horses'

/** Replies that hold tokens: what they hold may be there, and nowhere else. */
const givesTokens = (path: string, { status }: Answer): boolean =>
  status < 300 && /\/auth\/(login|register|refresh)$/.test(path)

/** From now on each insert of a user fails for a reason that nobody expects. */
const insertsFail = async ({ execute }: Pick<AuthService, 'execute'>): Promise<void> => {
  const ofSqlite = 'create trigger fails before insert on users begin insert into missing values (1); end'
  const ofPostgres = `
    create or replace function fail() returns trigger language plpgsql as
      $$ begin insert into missing values (1); return new; end $$;
    create trigger fails before insert on users for each row execute function fail()`
  await execute(ofSqlite).catch(() => execute(ofPostgres))
}

describeServices('secrets', (serve) => {
  const open = async () => {
    const lines: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    const service = await serve(
      { STATEFUL: true },
      { modelConfig: { User: { internal: false, search: ['name', 'email'] } } },
    )
    const tokens: string[] = []
    const others: string[] = []
    const send: AuthService['send'] = async (method, path, sent) => {
      const reply = await service.send(method, path, sent)
      const { text, headers, cookies } = reply
      if (givesTokens(path, reply)) tokens.push(String(reply.json['access']), String(reply.json['refresh']))
      // Cookies of such replies hold the tokens; the rest of the reply, and all of the others, must not.
      const { 'set-cookie': _cookies, ...rest } = headers
      others.push(
        JSON.stringify(givesTokens(path, reply) ? [reply.json['user'], rest] : [text, rest, cookies]),
      )
      return reply
    }
    const hashes = async () =>
      (await service.rows('select password from users')).map((row) => String(row['password']))
    return { ...service, send, tokens, others, hashes, lines }
  }

  it('checklist 24: hash, password and tokens are in no response but the token response, and in no log line', async () => {
    const service = await open()
    const { send, tokens, others, hashes, log, lines } = service
    const post = (path: string, sent: Sent) => send('POST', `/api/auth/${path}`, sent)
    const first = await post('register', { body: ada })
    const login = await loggedIn({ send })
    const refresh = String(login.json['refresh'])
    const access = String(first.json['access'])
    const cookies = { service_access_token: access, service_refresh_token: String(first.json['refresh']) }

    for (const body of [
      ada,
      { ...ada, email: 'bob@example.com', password: 'short' },
      { ...ada, extra: password },
    ])
      await post('register', { body })
    for (const body of [
      { email, password: wrong },
      { email: wrong, password },
      { email: { password }, password },
      [password],
    ])
      await post('login', { body })
    await post('login', { body: `{"email":"${email}","password":"${password}"` })
    await post('login', { body: `password=${password}`, headers: { 'content-type': 'text/plain' } })
    await post('refresh', { body: { refresh: access } })
    await post('refresh', { body: { refresh: [refresh] } })
    await post('refresh', { cookies, headers: { origin: 'https://evil.example' } })
    await send('GET', `/api/auth/me?token=${access}`)
    await send('GET', '/api/auth/me', { token: `${access}x` })
    await send('GET', `/api/notes/?access_token=${access}`)
    await send('GET', '/api/nothing', { token: access, cookies })
    const next = await post('refresh', { body: { refresh } })
    later(60)
    await post('refresh', { body: { refresh } })
    for (const path of [
      '/api/auth/me',
      '/api/users/',
      '/api/users/1',
      '/api/notes/',
      '/api/openapi.json',
      '/api/docs',
    ])
      await send('GET', path, { token: access })

    const hash = (await hashes())[0] ?? ''
    for (const field of ['password', 'password_hash'])
      for (const query of [
        `q=${field}=${hash}`,
        `q=${field}>a`,
        `sort=${field}`,
        `fields=${field}`,
        `search=argon2id`,
      ])
        await send('GET', `/api/users/?${query}`, { token: access })
    const searched = await send('GET', `/api/users/?search=${encodeURIComponent(hash.slice(0, 12))}`, {
      token: access,
    })
    expect(searched.json).toMatchObject({ items: [], count: 0 })
    for (const query of ['q=password%3E%3Da', 'sort=password', 'fields=password'])
      expect((await send('GET', `/api/users/?${query}`, { token: access })).json).toMatchObject({
        ...{ status: 400, code: 'unknown_field' },
      })
    for (const body of [{ password: wrong }, { password: hash }])
      expect((await send('PATCH', '/api/users/1', { token: access, body })).status).toBe(422)
    await post('logout', {
      token: String(next.json['access']),
      body: { refresh: String(next.json['refresh']) },
    })

    expect(hash).toMatch(/^\$argon2id\$/)
    expect(tokens.length).toBe(6)
    const seen = [...others, ...lines, ...log.map((entry) => JSON.stringify(entry))].join('\n')
    const signatures = tokens.map((token) => token.split('.')[2] ?? token)
    const found = [password, wrong, 'argon2', ...signatures].filter((secret) => seen.includes(secret))
    expect(found).toEqual([])
  })

  it('checklist 24: nor where the database fails in the middle', async () => {
    const { send, execute, log, lines, others } = await open()
    await send('POST', '/api/auth/register', { body: ada })
    const bob = { ...ada, email: 'bob@example.com', username: 'bob' }
    const replies: Answer[] = []
    await execute('alter table users rename column password to secret')
    replies.push(await send('POST', '/api/auth/register', { body: bob }), await loggedIn({ send }))
    await execute('alter table users rename column secret to password')
    await insertsFail({ execute })
    replies.push(await send('POST', '/api/auth/register', { body: bob }))
    for (const reply of replies) expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' })
    const written = [...lines, ...log.map((entry) => JSON.stringify(entry))].join('\n')
    expect(written).toMatch(naming('POST /api/auth/register'))
    for (const text of [written, others.join('\n')]) expect(text).not.toMatch(/argon2id|correct horse/)
  })
})
