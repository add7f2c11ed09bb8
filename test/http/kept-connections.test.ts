import { describe, expect, it } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { executeWith, type ThingHooks, transactionWith } from './hooked.ts'
import { postgresStage } from './postgres-stage.ts'
import type { PoolOptions, PostgresThings } from './postgres-things.ts'

onPostgres('connections of node-postgres', () => {
  const stage = postgresStage(
    'kept',
    ['first'],
    'create unique index on things (name); alter table things add check (times >= 0)',
  )

  const serve = async (hooks?: ThingHooks, options?: Partial<PoolOptions>): Promise<PostgresThings> => {
    const settings = { DATABASE_RETRIES: 0 }
    return await stage.serve('node-postgres', { max: 2, settings, ...options }, hooks)
  }

  /** What the service has open, by the numbers that the server gives to them. */
  const connections = async (): Promise<readonly unknown[]> =>
    (
      await stage.outside.query(
        `select pid from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
    ).rows.map(({ pid }) => pid)

  it('serve on where a statement is refused', async () => {
    const { send } = await serve({}, { session: { statement_timeout: '300' } })
    await send('GET', '/things/1')
    const before = await connections()
    expect(before).toHaveLength(1)
    for (let time = 0; time < 3; time += 1) {
      expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 409 })
      expect(await send('POST', '/things/', { name: 'x', times: -1 })).toMatchObject({ status: 422 })
    }
    await stage.outside.query('begin; lock table things')
    const late = send('PATCH', '/things/1', { name: 'late' })
    while (!(await stage.isSomebodyWaiting()));
    expect(await late).toMatchObject({ status: 503, code: 'unavailable' })
    await stage.outside.query('rollback')
    expect(await send('PATCH', '/things/1', { name: 'in time' })).toMatchObject({ status: 200 })
    expect(await connections()).toEqual(before)
  })

  it('serve on where others are in the way', async () => {
    const { send } = await serve({}, { session: { default_transaction_isolation: 'serializable' } })
    await send('GET', '/things/1')
    const before = await connections()
    await stage.outside.query('begin; update things set times = 7 where id = 1')
    const second = send('PATCH', '/things/1', { name: 'second' })
    while (!(await stage.isSomebodyWaiting()));
    await stage.outside.query('commit')
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
      stage.outside.query(
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
