import { describe, expect, it } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { executeWith, type ThingHooks } from './hooked.ts'
import { postgresStage } from './postgres-stage.ts'
import { type PostgresThings, postgresDrivers } from './postgres-things.ts'

const serializable = { default_transaction_isolation: 'serializable' }

onPostgres('writes that are in the way of each other on PostgreSQL', () => {
  const stage = postgresStage('contended', ['a', 'b'])

  const timesOf = async (id: number): Promise<unknown> =>
    (await stage.outside.query(`select times from things where id = ${id}`)).rows[0].times

  describe.each(postgresDrivers)('with %s', (driver) => {
    const serve = async (hooks?: ThingHooks, retries = 3): Promise<PostgresThings> => {
      return await stage.serve(
        driver,
        { session: serializable, settings: { DATABASE_RETRIES: retries } },
        hooks,
      )
    }

    /** Another transaction changes the record while a request waits for it: a serialisation failure. */
    const inTheWay = async <T>(request: () => Promise<T>): Promise<T> => {
      await stage.outside.query('begin; update things set times = 7 where id = 1')
      const reply = request()
      while (!(await stage.isSomebodyWaiting()));
      await stage.outside.query('commit')
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
      expect(reply.text).not.toMatch(/serialize|concurrent update|40001/i)
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
      expect(reply.text).not.toMatch(/serialize|concurrent update|update things/i)
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
