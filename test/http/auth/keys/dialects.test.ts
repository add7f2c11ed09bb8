import { expect, it } from 'vitest'
import * as mysqlTables from '../../../../src/entry/drizzle-mysql.ts'
import * as pgTables from '../../../../src/entry/drizzle-pg.ts'
import { onEachMysql } from '../../../servers/test-mysql.ts'
import { onFastify } from '../../../stage/apps.ts'
import { registered, serviceOn } from '../../../stage/auth-service.ts'
import { openPglite, type TestDatabase } from '../../../stage/databases.ts'
import { openMysql } from '../../../stage/mysql.ts'
import { inTest } from '../../../stage/service.ts'
import { keyOf } from './stage.ts'

const ddlOf = (key: string, time: string): string => `
  create table users (
    id ${key}, email varchar(320) not null unique, username varchar(150) unique, name varchar(200),
    password varchar(255) not null, is_active boolean not null default true,
    created_at ${time} not null default current_timestamp);
  create table api_keys (
    id ${key}, user_id varchar(255) not null, name varchar(100) not null, hash varchar(64) not null unique,
    access varchar(10) not null, account varchar(22), created_at ${time} not null default current_timestamp,
    expires_at ${time} null, last_used_at ${time} null)`

const works = async (database: TestDatabase): Promise<void> => {
  const service = await inTest(
    serviceOn(onFastify, database, {
      modelConfig: { User: { internal: false } } as never,
      settings: { SERVICE_AUTH: { API_KEYS: true, API_KEY_EXP: 3_153_600_000 } },
    }),
  )
  const session = await registered(service)
  const { id, key } = await keyOf(service, session, { access: 'read', expires_at: '2101-02-03T04:05:06Z' })
  expect((await service.send('GET', '/api/users/', { token: key })).status).toBe(200)
  const own = { token: session.access }
  const [listed] = (await service.send('GET', '/api/auth/keys', own)).json['items'] as readonly object[]
  expect(listed).toMatchObject({ id, access: 'read', expires_at: '2101-02-03T04:05:06.000Z' })
  expect(Math.abs(Date.parse(String(Reflect.get(listed ?? {}, 'last_used_at'))) - Date.now())).toBeLessThan(
    60_000,
  )
  expect((await service.send('DELETE', `/api/auth/keys/${id}`, own)).status).toBe(204)
  expect((await service.send('GET', '/api/users/', { token: key })).status).toBe(401)
}

it('apiKeysTable holds keys on PGlite', async () => {
  const { apiKeysTable, usersTable } = pgTables
  const key = 'integer primary key generated always as identity'
  await works(await openPglite({ users: usersTable, apiKeys: apiKeysTable }, ddlOf(key, 'timestamptz')))
})

onEachMysql('apiKeysTable', (kind) => {
  it('holds keys', async () => {
    const { apiKeysTable, usersTable } = mysqlTables
    const ddl = ddlOf('int primary key auto_increment', 'timestamp').replace(
      'expires_at timestamp',
      'expires_at datetime',
    )
    await works(await openMysql(kind, { users: usersTable, apiKeys: apiKeysTable }, ddl))
  })
})
