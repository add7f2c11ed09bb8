import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { executeWith, type ThingHooks, transactionWith } from './hooked.ts'
import { createThings, type PoolOptions, type PostgresThings, startThings } from './postgres-things.ts'

onPostgres('connections of node-postgres', () => {
  let database: TestDatabase
  let outside: pg.Client
  let service: PostgresThings | undefined

  beforeAll(async () => {
    database = await createDatabase('kept')
    outside = new pg.Client(database.url)
    await outside.connect()
    await outside.query(createThings)
    await outside.query('create unique index on things (name); alter table things add check (times >= 0)')
  })
  beforeEach(async () => {
    await outside.query(`truncate things restart identity; insert into things (name) values ('first')`)
  })
  afterEach(async () => {
    await outside.query('rollback')
    await service?.stop()
    service = undefined
  })
  afterAll(async () => {
    await outside.end()
    await database.drop()
  })

  const serve = async (hooks?: ThingHooks, options?: Partial<PoolOptions>): Promise<PostgresThings> => {
    const settings = { DATABASE_RETRIES: 0 }
    service = await startThings('node-postgres', { url: database.url, max: 2, settings, ...options }, hooks)
    return service
  }

  /** What the service has open, by the numbers that the server gives to them. */
  const connections = async (): Promise<readonly unknown[]> =>
    (
      await outside.query(
        `select pid from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
    ).rows.map(({ pid }) => pid)

  const isWaitedFor = async (): Promise<boolean> =>
    (await outside.query('select 1 from pg_locks where not granted')).rows.length > 0

  it('serve on where a statement is refused', async () => {
    const { send } = await serve({}, { session: { statement_timeout: '300' } })
    await send('GET', '/things/1')
    const before = await connections()
    expect(before).toHaveLength(1)
    for (let time = 0; time < 3; time += 1) {
      expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 409 })
      expect(await send('POST', '/things/', { name: 'x', times: -1 })).toMatchObject({ status: 422 })
    }
    await outside.query('begin; lock table things')
    const late = send('PATCH', '/things/1', { name: 'late' })
    while (!(await isWaitedFor()));
    expect(await late).toMatchObject({ status: 503, code: 'unavailable' })
    await outside.query('rollback')
    expect(await send('PATCH', '/things/1', { name: 'in time' })).toMatchObject({ status: 200 })
    expect(await connections()).toEqual(before)
  })

  it('serve on where others are in the way', async () => {
    const { send } = await serve({}, { session: { default_transaction_isolation: 'serializable' } })
    await send('GET', '/things/1')
    const before = await connections()
    await outside.query('begin; update things set times = 7 where id = 1')
    const second = send('PATCH', '/things/1', { name: 'second' })
    while (!(await isWaitedFor()));
    await outside.query('commit')
    expect(await second).toMatchObject({ status: 503, code: 'write_conflict' })
    expect(await send('PATCH', '/things/1', { name: 'third' })).toMatchObject({ status: 200 })
    expect(await connections()).toEqual(before)
  })

  describe.each([
    ['single statements', {}],
    ['transactions', { afterCreate: () => undefined }],
    [
      'transactions of hooks',
      {
        beforeCreate: async (_request, _payload, _schema, { db }) => {
          await transactionWith(db, (inside) => executeWith(inside, 'update things set times = times + 1'))
        },
      },
    ],
  ] satisfies (readonly [string, ThingHooks])[])('to a server that may only be read, by %s', (_by, hooks) => {
    const mayOnlyBeRead = (isSo: boolean) =>
      outside.query(
        `do $$ begin execute format('alter database %I set default_transaction_read_only = ${isSo}', current_database()); end $$`,
      )

    it('are not kept: others may lead to one that can be written', async () => {
      await mayOnlyBeRead(true)
      const { send } = await serve(hooks)
      const post = () => send('POST', '/things/', { name: crypto.randomUUID() })
      const refused = await Promise.all([post(), post()])
      await mayOnlyBeRead(false)
      for (const reply of refused) expect(reply).toMatchObject({ status: 503, code: 'unavailable' })
      for (const reply of await Promise.all([post(), post(), post()])) expect(reply.status).toBe(201)
    })
  })
})
