import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { naming } from '../naming.ts'
import { onPostgres } from '../servers/test-database.ts'
import { executeWith, type ThingHooks } from './hooked.ts'
import { isWaiting, postgresStage } from './postgres-stage.ts'
import { type PoolOptions, type PostgresThings, postgresDrivers, startThings } from './postgres-things.ts'

const driverWords =
  /timeout|cancel|lock|terminat|pool|read-only|disk|remaining|role|connect(ion|ing)|select|insert|update things/i

const away = { status: 503, code: 'unavailable', retry: '5' }

onPostgres('limits of PostgreSQL and of pools', () => {
  const stage = postgresStage('limits', ['a', 'b'])

  describe.each(postgresDrivers)('with %s', (driver) => {
    const serve = async (pool: Partial<PoolOptions>, hooks?: ThingHooks): Promise<PostgresThings> => {
      return await stage.serve(driver, { ...pool }, hooks)
    }

    const withTransaction: ThingHooks = { afterUpdate: () => undefined }

    it.each([
      ['statement_timeout', {}],
      ['statement_timeout', withTransaction],
      ['lock_timeout', {}],
      ['lock_timeout', withTransaction],
    ])('%s ends a write that waits, with hooks %o', async (setting, hooks) => {
      const { send } = await serve({ session: { [setting]: '100' } }, hooks)
      await stage.outside.query('begin; update things set times = 7 where id = 1')
      const reply = await send('PATCH', '/things/1', { name: 'x' })
      expect(reply).toMatchObject(away)
      expect(reply.text).not.toMatch(driverWords)
      await stage.outside.query('commit')
      expect(await send('PATCH', '/things/1', { name: 'x' })).toMatchObject({ status: 200 })
    })

    it('statement_timeout ends a read that waits, and the statement of a hook', async () => {
      const { send } = await serve(
        { session: { statement_timeout: '100' } },
        { afterCreate: (_request, _record, { db }) => executeWith(db, 'select pg_sleep(9)') as never },
      )
      await stage.outside.query('begin; lock table things in access exclusive mode')
      const read = await send('GET', '/things/')
      await stage.outside.query('commit')
      const write = await send('POST', '/things/', { name: 'x' })
      for (const reply of [read, write]) {
        expect(reply).toMatchObject(away)
        expect(reply.text).not.toMatch(/timeout|cancel|pg_sleep/i)
      }
      expect(await stage.names()).toEqual(['a', 'b'])
    })

    it.each([
      ['a read is asked again', 'GET', undefined, { status: 200, code: undefined }],
      ['a write may have been done', 'PATCH', { name: 'x' }, { ...away, code: 'outcome_unknown' }],
    ] as const)('an administrator ends the session: %s', async (_what, method, body, expected) => {
      const { send } = await serve({})
      await stage.outside.query('begin; lock table things in access exclusive mode')
      const waiting = send(method, '/things/1', body)
      while (!(await stage.isSomebodyWaiting()));
      await stage.outside.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${isWaiting}`)
      await stage.outside.query('commit')
      const reply = await waiting
      expect(reply).toMatchObject(expected)
      if (reply.status !== 200) expect(reply.text).not.toMatch(/administrator|terminat/i)
    })

    it('what may only be read is a 503 for who writes', async () => {
      const { send } = await serve({ session: { default_transaction_read_only: 'on' } })
      expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
      const reply = await send('PATCH', '/things/1', { name: 'x' })
      expect(reply).toMatchObject(away)
      expect(reply.text).not.toMatch(driverWords)
    })

    it.each(['now', 'at the commit'])('a full disk, met %s, is a 503', async (when) => {
      const deferred = when === 'now' ? '' : 'deferrable initially deferred'
      await stage.outside.query(`
        create or replace function full_disk() returns trigger language plpgsql as
          $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$;
        create constraint trigger full_disk after insert on things ${deferred}
          for each row execute function full_disk()`)
      const { send } = await serve({}, { afterCreate: () => undefined })
      const reply = await send('POST', '/things/', { name: 'x' })
      await stage.outside.query('drop trigger full_disk on things')
      expect(reply).toMatchObject(away)
      expect(reply.text).not.toMatch(/space|device/i)
      expect(await stage.names()).toEqual(['a', 'b'])
    })

    it('a hook that goes on after a statement that failed stores nothing, and is told why', async () => {
      const { send, log } = await serve(
        {},
        {
          afterCreate: async (_request, _record, { db }) => {
            await Promise.resolve(executeWith(db, 'select 1 / 0')).catch(() => undefined)
          },
        },
      )
      expect(await send('POST', '/things/', { name: 'x' })).toMatchObject({ status: 500 })
      expect(await stage.names()).toEqual(['a', 'b'])
      expect(log.join()).toMatch(naming('hook', 'rolled', 'transaction'))
    })
  })

  // TypeORM connects before it serves.
  it.each(postgresDrivers.filter((driver) => driver !== 'typeorm'))(
    'too many connections of a role are a 503, with %s',
    async (driver) => {
      const role = `limited_${driver.replace(/\W/g, '_')}`
      await stage.outside.query(
        `create role ${role} login password 'x' connection limit 1; grant all on things to ${role}`,
      )
      const url = new URL(stage.url)
      Object.assign(url, { username: role, password: 'x' })
      const holder = new pg.Client(url.href)
      await holder.connect()
      const { send, stop } = await startThings(driver, { url: url.href })
      const replies = [await send('GET', '/things/'), await send('PATCH', '/things/1', { name: 'x' })]
      await holder.end()
      for (const reply of replies) {
        expect(reply).toMatchObject(away)
        expect(reply.text).not.toMatch(driverWords)
      }
      await stop()
      await stage.outside.query(`drop owned by ${role}; drop role ${role}`)
    },
  )

  // postgres.js ends the process there, as docs/databases.md says.
  it('a transaction that idles for too long loses its connection, and the program goes on', async () => {
    const idle = () => new Promise<void>((resolve) => setTimeout(resolve, 300))
    const { send } = await stage.serve(
      'node-postgres',
      { session: { idle_in_transaction_session_timeout: '100' } },
      { afterCreate: idle },
    )
    for (let time = 0; time < 3; time += 1) {
      const reply = await send('POST', '/things/', { name: 'x' })
      expect(reply.status, reply.text).toBe(503)
      expect(reply.retry).toBe('5')
      expect(reply.text).not.toMatch(/idle|timeout|terminat/i)
    }
    expect(await stage.names()).toEqual(['a', 'b'])
    expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
  })

  it('who waits longer for a connection of node-postgres than its pool says gets a 503', async () => {
    const { send } = await stage.serve(
      'node-postgres',
      { max: 1, connectWithin: 300 },
      { afterCreate: () => undefined },
    )
    await stage.outside.query('begin; lock table things in access exclusive mode')
    const holding = send('GET', '/things/1')
    while (!(await stage.isSomebodyWaiting()));
    const replies = await Promise.all([
      send('GET', '/things/2'),
      send('PATCH', '/things/2', { name: 'x' }),
      send('POST', '/things/', { name: 'x' }),
    ])
    await stage.outside.query('commit')
    for (const reply of replies) {
      expect(reply).toMatchObject(away)
      expect(reply.text).not.toMatch(driverWords)
    }
    expect(await holding).toMatchObject({ status: 200 })
    expect(await stage.names()).toEqual(['a', 'b'])
    expect(await send('POST', '/things/', { name: 'x' })).toMatchObject({ status: 201 })
  })
})
