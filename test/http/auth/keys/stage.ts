import { apiKeysTable, usersTable } from '../../../../src/entry/drizzle-sqlite.ts'
import type { ServiceAuth } from '../../../../src/index.ts'
import { onFastify } from '../../../stage/apps.ts'
import {
  type AuthService,
  ada,
  registered,
  type ServiceOptions,
  type Session,
  serviceOn,
} from '../../../stage/auth-service.ts'
import { counted, maybe, text } from '../../../stage/columns.ts'
import { openSqlite, type TestDatabase } from '../../../stage/databases.ts'
import { declare } from '../../../stage/declared.ts'
import type { Answer, Sent } from '../../../stage/requests.ts'
import { inTest } from '../../../stage/service.ts'

const own = declare({
  notes: { id: counted, text: text() },
  audit_entries: {
    ...{ id: counted, at: { type: 'time' }, caller: maybe(255), api_key_id: maybe(255), act: text(10) },
    ...{ model: text(100), record: text(500), changes: { type: 'json' } },
  },
}).sqlite

/** The table of API keys that the package publishes. */
export const keysDdl: string = `create table api_keys (
  id integer primary key autoincrement, user_id text not null, name text not null, hash text not null unique,
  access text not null, account text, created_at integer not null default (unixepoch()), expires_at integer,
  last_used_at integer)`

/** Users, their API keys, notes and an audit log. */
export const withApiKeys = (): TestDatabase =>
  openSqlite(
    { users: usersTable, apiKeys: apiKeysTable, ...own.tables } as never,
    `create table users (
       id integer primary key autoincrement, email text not null unique, username text unique, name text,
       password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()));
     ${keysDdl}; ${own.ddl}`,
  )

/** Serves API keys until the end of the test. */
export const serveKeys = (auth: ServiceAuth = {}, options: ServiceOptions = {}): Promise<AuthService> =>
  inTest(
    serviceOn(onFastify, withApiKeys(), {
      ...options,
      settings: { ...options.settings, SERVICE_AUTH: { API_KEYS: true, ...auth } },
    }),
  )

/** The password of every user. */
const { password } = ada

export const asking = (
  { send }: Pick<AuthService, 'send'>,
  { access }: Pick<Session, 'access'>,
  body: object = {},
  sent: Sent = {},
): Promise<Answer> =>
  send('POST', '/api/auth/keys', { body: { name: 'import', password, ...body }, token: access, ...sent })

/** A new key. */
export const keyOf = async (
  service: Pick<AuthService, 'send'>,
  session: Pick<Session, 'access'>,
  body: object = { access: 'write' },
): Promise<{ readonly id: string; readonly key: string }> => {
  const reply = await asking(service, session, body)
  if (reply.status !== 201) throw new Error(`POST /api/auth/keys: ${reply.status} ${reply.text}`)
  return reply.json as never
}

/** A service with a user and a key. */
export const served = async (auth: ServiceAuth = {}, options: ServiceOptions = {}, body?: object) => {
  const service = await serveKeys(auth, options)
  const session = await registered(service)
  return { service, send: service.send, session, ...(await keyOf(service, session, body)) }
}
