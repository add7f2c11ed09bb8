import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { executeWith, type ThingHooks } from './hooked.ts'
import { createThings, type PostgresThings, startThings } from './postgres-things.ts'

const serializable = { default_transaction_isolation: 'serializable' }

onPostgres('writes that are in the way of each other on PostgreSQL', () => {
  let database: TestDatabase
  let outside: pg.Client
  let service: PostgresThings | undefined

  beforeAll(async () => {
    database = await createDatabase('contended')
    outside = new pg.Client(database.url)
    await outside.connect()
    await outside.query(createThings)
  })
  beforeEach(async () => {
    await outside.query(`truncate things restart identity; insert into things (name) values ('a'), ('b')`)
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

  const isSomebodyWaiting = async (): Promise<boolean> =>
    (await outside.query('select 1 from pg_locks where not granted')).rows.length > 0

  const timesOf = async (id: number): Promise<unknown> =>
    (await outside.query(`select times from things where id = ${id}`)).rows[0].times

  describe.each(['node-postgres', 'postgres.js'] as const)('with %s', (driver) => {
    const serve = async (hooks?: ThingHooks, retries = 3): Promise<PostgresThings> => {
      service = await startThings(
        driver,
        { url: database.url, session: serializable, settings: { DATABASE_RETRIES: retries } },
        hooks,
      )
      return service
    }

    /** Another transaction changes the record while a request waits for it: a serialisation failure. */
    const inTheWay = async <T>(request: () => Promise<T>): Promise<T> => {
      await outside.query('begin; update things set times = 7 where id = 1')
      const reply = request()
      while (!(await isSomebodyWaiting()));
      await outside.query('commit')
      return await reply
    }

    it('are done again, and hooks before them are not', async () => {
      let runs = 0
      const { send } = await serve({
        beforeUpdate: () => {
          runs += 1
        },
      })
      const reply = await inTheWay(() => send('PATCH', '/things/1', { name: 'changed' }))
      expect(reply.status, reply.text).toBe(200)
      expect(JSON.parse(reply.text)).toMatchObject({ name: 'changed', times: 7 })
      expect(runs).toBe(1)
    })

    it('are done again in whole transactions, as long as no after-hook has begun', async () => {
      let runs = 0
      const { send } = await serve({
        scope: () => ({ name: ['a', 'changed'] }),
        afterUpdate: () => {
          runs += 1
        },
      })
      const reply = await inTheWay(() => send('PATCH', '/things/1', { name: 'changed' }))
      expect(reply.status, reply.text).toBe(200)
      expect(runs).toBe(1)
    })

    it('are refused where DATABASE_RETRIES says so, and nothing was done', async () => {
      const { send } = await serve({}, 0)
      const reply = await inTheWay(() => send('PATCH', '/things/1', { name: 'changed' }))
      expect(reply).toMatchObject({ status: 503, code: 'write_conflict', retry: '1' })
      expect(reply.text).not.toMatch(/serialize|concurrent|40001/i)
      expect((await send('GET', '/things/1')).text).toMatch(/"name":"a"/)
    })

    it('are not done again once an after-hook has begun: it runs once', async () => {
      let runs = 0
      const { send } = await serve({
        afterUpdate: async (_request, _record, { db }) => {
          runs += 1
          await executeWith(db, 'update things set times = times + 1 where id = 1')
        },
      })
      const reply = await inTheWay(() => send('PATCH', '/things/2', { name: 'changed' }))
      expect(reply).toMatchObject({ status: 503, code: 'write_conflict', retry: '1' })
      expect(reply.text).not.toMatch(/serialize|concurrent|update things/i)
      expect(runs).toBe(1)
      expect((await send('GET', '/things/2')).text).toMatch(/"name":"b"/)
      expect(await timesOf(1)).toBe(7)
    })

    it('in a deadlock are told so, or go through: each of them once', async () => {
      const begun: (() => void)[] = []
      const bothBegun = new Promise<void>((resolve) => begun.push(resolve))
      let runs = 0
      const { send } = await serve({
        afterUpdate: async (_request, record, { db }) => {
          runs += 1
          if (runs === 2) for (const go of begun) go()
          await bothBegun
          const other = record['id'] === 1 ? 2 : 1
          await executeWith(db, `update things set times = times + 1 where id = ${other}`)
        },
      })
      const replies = await Promise.all([1, 2].map((id) => send('PATCH', `/things/${id}`, { name: 'x' })))
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 503])
      const refused = replies.find(({ status }) => status === 503)
      expect(refused).toMatchObject({ code: 'write_conflict', retry: '1' })
      expect(refused?.text).not.toMatch(/deadlock|process \d/i)
      expect(runs).toBe(2)
    })
  })
})
