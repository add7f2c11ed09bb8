import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'

// The tables of the documentation of Auth.js, and one of the application's own that refers to a session.
const tables = () => {
  const users = sqliteTable('user', {
    id: text('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text('name'),
    email: text('email').unique(),
    emailVerified: integer('emailVerified', { mode: 'timestamp_ms' }),
    image: text('image'),
  })
  const userId = () =>
    text('userId')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' })
  const accounts = sqliteTable(
    'account',
    {
      userId: userId(),
      type: text('type').notNull(),
      provider: text('provider').notNull(),
      providerAccountId: text('providerAccountId').notNull(),
      refresh_token: text('refresh_token'),
      access_token: text('access_token'),
      expires_at: integer('expires_at'),
      token_type: text('token_type'),
      scope: text('scope'),
      id_token: text('id_token'),
      session_state: text('session_state'),
    },
    (account) => [primaryKey({ columns: [account.provider, account.providerAccountId] })],
  )
  const sessions = sqliteTable('session', {
    sessionToken: text('sessionToken').primaryKey(),
    userId: userId(),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
  })
  const verificationTokens = sqliteTable(
    'verificationToken',
    {
      identifier: text('identifier').notNull(),
      token: text('token').notNull(),
      expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
    },
    (verification) => [primaryKey({ columns: [verification.identifier, verification.token] })],
  )
  const authenticators = sqliteTable(
    'authenticator',
    {
      credentialID: text('credentialID').notNull().unique(),
      userId: userId(),
      providerAccountId: text('providerAccountId').notNull(),
      credentialPublicKey: text('credentialPublicKey').notNull(),
      counter: integer('counter').notNull(),
      credentialDeviceType: text('credentialDeviceType').notNull(),
      credentialBackedUp: integer('credentialBackedUp', { mode: 'boolean' }).notNull(),
      transports: text('transports'),
    },
    (authenticator) => [primaryKey({ columns: [authenticator.userId, authenticator.credentialID] })],
  )
  const devices = sqliteTable('device', {
    id: integer('id').primaryKey(),
    label: text('label').notNull(),
    session: text('session').references(() => sessions.sessionToken),
  })
  return { users, accounts, sessions, verificationTokens, authenticators, devices }
}

const ddl = `
  create table "user" (id text primary key, name text, email text unique, "emailVerified" integer, image text);
  create table account ("userId" text not null references "user", type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, "providerAccountId"));
  create table session ("sessionToken" text primary key, "userId" text not null references "user",
    expires integer not null);
  create table "verificationToken" (identifier text not null, token text not null, expires integer not null,
    primary key (identifier, token));
  create table authenticator ("credentialID" text not null unique, "userId" text not null references "user",
    "providerAccountId" text not null, "credentialPublicKey" text not null, counter integer not null,
    "credentialDeviceType" text not null, "credentialBackedUp" integer not null, transports text,
    primary key ("userId", "credentialID"));
  create table device (id integer primary key, label text not null, session text references session);
  insert into "user" (id, name, email) values ('u1', 'Ada', 'ada@example.com');
  insert into account values ('u1', 'oidc', 'github', '7', 'R-E-F', 'A-C-C', 1, 'bearer', 'read', 'I-D-T', 'st');
  insert into session values ('S-E-S', 'u1', 0);
  insert into "verificationToken" values ('ada@example.com', 'V-E-R', 0);
  insert into device (label, session) values ('phone', 'S-E-S')`

describe('the tables of Auth.js', () => {
  const start = async (options: Partial<ModelRestOptions> = {}) =>
    serveModels(openSqlite(tables(), ddl), options)

  it('are served, but for those whose key is a secret, and one line of the log says which', async () => {
    const { rest, lines, send } = await start()
    expect(rest.models.map(({ name }) => name)).toEqual(['User', 'Account', 'Authenticator', 'Device'])
    const told = lines.filter((line) => /Session|VerificationToken/.test(line))
    expect(told).toEqual([
      expect.stringMatching(
        naming(
          'app.Session',
          'sessionToken',
          'app.VerificationToken',
          'token',
          'modelConfig',
          'internal: false',
        ),
      ),
    ])
    expect((await send('GET', '/sessions'))[0]).toBe(404)
    expect((await send('GET', '/verification-tokens'))[0]).toBe(404)
    expect(JSON.stringify(rest.openapi())).not.toMatch(/[Ss]essionToken|VerificationToken/)
  })

  it('show no token, and what merely speaks of tokens', async () => {
    const { send, lines } = await start()
    const [status, account] = await send('GET', '/accounts/github,7')
    expect([status, Object.keys(account as object)]).toEqual([
      200,
      [
        ...['userId', 'type', 'provider', 'providerAccountId', 'expires_at', 'token_type', 'scope'],
        'session_state',
      ],
    ])
    expect(lines).toContainEqual(
      expect.stringMatching(
        naming('Account', 'access_token', 'id_token', 'hidden: { refresh_token: false }'),
      ),
    )
    expect(lines).toContainEqual(expect.stringMatching(naming('Device', 'hidden: { session: false }')))
    const made = {
      ...{ credentialID: 'c', userId: 'u1', providerAccountId: '7', credentialPublicKey: 'k', counter: 0 },
      ...{ credentialDeviceType: 'singleDevice', credentialBackedUp: true, transports: null },
    }
    expect(await send('POST', '/authenticators', made)).toEqual([201, made])
    expect(await send('GET', '/authenticators/u1,c')).toEqual([200, made])
  })

  it('hide a foreign key to such a secret in replies, filters, sorts and errors', async () => {
    const { send } = await start()
    expect(await send('GET', '/devices/1')).toEqual([200, { id: 1, label: 'phone' }])
    for (const query of ['q=session==S-E-S', 'session=S', 'sort=session', 'fields=session'])
      expect((await send('GET', `/devices?${query}`))[0]).toBe(400)
    expect(await send('POST', '/devices', { label: 'tablet', session: 'S-E-S' })).toEqual([
      201,
      { id: 2, label: 'tablet' },
    ])
  })

  it('can be reached by a scope', async () => {
    const { send } = await start({
      controllers: [controllerFor('Device', { scope: () => ({ sessionSession: { userId: 'u2' } }) })],
    })
    expect(await send('GET', '/devices')).toMatchObject([200, { count: 0 }])
  })

  it('are all served where the application says so, and the log says what is shown then', async () => {
    const modelConfig = { Session: { internal: false }, VerificationToken: { internal: false } }
    const { send, lines } = await start({ modelConfig })
    expect(lines.filter((line) => /Session|VerificationToken/.test(line))).toEqual([
      expect.stringMatching(naming('Session.sessionToken', 'VerificationToken.token')),
    ])
    expect(await send('GET', '/sessions/S-E-S')).toMatchObject([200, { sessionToken: 'S-E-S', userId: 'u1' }])
    expect(await send('GET', '/verification-tokens')).toMatchObject([200, { items: [{ token: 'V-E-R' }] }])
    // With the key of sessions shown, so is what refers to it.
    expect(await send('GET', '/devices/1')).toEqual([200, { id: 1, label: 'phone', session: 'S-E-S' }])
  })

  it('are not opened by an exclude that names their app with null', async () => {
    const { rest } = await start({ exclude: { app: null } })
    expect(rest.models.map(({ name }) => name)).toEqual(['User', 'Account', 'Authenticator', 'Device'])
  })
})
