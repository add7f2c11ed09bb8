import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { isWaiting } from './postgres-stage.ts'
import { onFetch, type Served, tenantScopes } from './scope/stage.ts'
import { ddl, rowsOf, tableNames, tables } from './scope/tables.ts'

/** Keys of two parts: the second place in room b is another tenant's. */
const slots = `insert into slots (room, place, tenant_id) values ('a', 1, 1), ('a', 2, 1), ('b', 1, 1), ('b', 2, 2)`
const ticket = `insert into tickets (id, tenant_id, room, place) values (110, 1, 'a', 1)`

onPostgres('foreign keys that others complete meanwhile', () => {
  let database: TestDatabase
  let outside: pg.Client
  let looking: pg.Client
  let pool: pg.Pool
  let served: Served
  beforeAll(async () => {
    database = await createDatabase('scope_races')
    ;[outside, looking] = [new pg.Client(database.url), new pg.Client(database.url)]
    for (const client of [outside, looking]) await client.connect()
    await outside.query(ddl.pg)
    pool = new pg.Pool({ connectionString: database.url, max: 4 })
    served = await onFetch({ models: drizzleModels(drizzle(pool), tables.pg) }, tenantScopes)
  })
  beforeEach(async () => {
    await outside.query(tableNames.map((name) => `delete from ${name}`).join(';'))
    await outside.query([...rowsOf(1), ...rowsOf(2), slots, ticket].join(';'))
  })
  afterAll(async () => {
    await served.stop()
    await pool.end()
    for (const client of [outside, looking]) await client.end()
    await database.drop()
  })

  const isSomebodyWaiting = async () =>
    (await looking.query(`select 1 from pg_stat_activity where ${isWaiting}`)).rows.length > 0

  it.each([
    ['PATCH', { room: 'b' }],
    ['PATCH', { room: 'b', accountEmail: null }],
  ])('never point to a record out of reach: %s', async (method, body) => {
    // Another request of the same tenant chooses the other part: each of the two is in reach by itself.
    await outside.query('begin; update tickets set place = 2 where id = 110')
    const reply = served.ask(1, { method, path: '/tickets/110', body })
    while (!(await isSomebodyWaiting()));
    await outside.query('commit')
    expect((await reply).status).toBe(422)
    expect((await looking.query('select room, place from tickets where id = 110')).rows).toEqual([
      { room: 'a', place: 2 },
    ])
  })
})
