import { describe, expect, it } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { executeWith, type ThingHooks } from './hooked.ts'
import { cutStage } from './postgres-stage.ts'
import { type PostgresThings, postgresDrivers } from './postgres-things.ts'
import { serverEnds } from './server-ends.ts'

const driverWords = /ECONN|timeout|terminat|CONNECTION_|queryable|select|insert|things"|127\.0\.0\.1/i

const away = { status: 503, code: 'unavailable', retry: '5' }

onPostgres('connections to PostgreSQL that break', () => {
  const stage = cutStage('lost', ['first'])

  describe.each(postgresDrivers)('with %s', (driver) => {
    const serve = async (hooks?: ThingHooks, retries = 3): Promise<PostgresThings> => {
      const settings = { DATABASE_RETRIES: retries }
      return await stage.serve(driver, { max: 2, settings }, hooks)
    }

    it.each(['question', 'answer'] as const)('a read whose %s is lost is asked again', async (lost) => {
      const { send } = await serve()
      stage.way.plan({ at: (sent) => sent.includes('"things"'), lost })
      expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
      expect(stage.way.done).toBe(1)
      expect(await send('GET', '/things/?name=first')).toMatchObject({ status: 200 })
    })

    it('a read that is lost each time is a 503: nothing is asked for ever', async () => {
      const { send } = await serve()
      stage.way.plan({ at: (sent) => sent.includes('"things"'), lost: 'answer', times: 9 })
      const reply = await send('GET', '/things/1')
      expect(reply).toMatchObject({ status: 503, code: 'unavailable', retry: '5' })
      expect(reply.text).not.toMatch(driverWords)
      expect(stage.way.done).toBe(3)
    })

    it('a read is asked once where DATABASE_RETRIES says so', async () => {
      const { send } = await serve({}, 0)
      stage.way.plan({ at: (sent) => sent.includes('"things"'), lost: 'answer' })
      expect(await send('GET', '/things/1')).toMatchObject({ status: 503, code: 'unavailable' })
    })

    it('a write whose answer is lost is not done again, and nobody says that it was not done', async () => {
      const { send } = await serve()
      stage.way.plan({ at: (sent) => sent.includes('second'), lost: 'answer', times: 9 })
      const reply = await send('POST', '/things/', { name: 'second' })
      expect(reply).toMatchObject({ status: 503, code: 'outcome_unknown', retry: '5' })
      expect(reply.text).not.toMatch(driverWords)
      expect(stage.way.done).toBe(1)
      expect(await stage.names()).toEqual(['first', 'second'])
    })

    it.each([
      ['answer', ['first', 'second']],
      ['question', ['first']],
    ] as const)('a commit whose %s is lost is neither repeated nor denied', async (lost, stored) => {
      let runs = 0
      const { send } = await serve({
        afterCreate: () => {
          runs += 1
        },
      })
      stage.way.plan({ at: (sent) => /commit/i.test(sent), lost, times: 9 })
      const reply = await send('POST', '/things/', { name: 'second' })
      expect(reply).toMatchObject({ status: 503, code: 'outcome_unknown', retry: '5' })
      expect(reply.text).not.toMatch(driverWords)
      expect([stage.way.done, runs]).toEqual([1, 1])
      expect(await stage.names()).toEqual(stored)
      stage.way.plan({ at: () => false, lost })
      expect(await send('POST', '/things/', { name: 'third' })).toMatchObject({ status: 201 })
    })

    it('a connection is not kept whose transaction did not begin', async () => {
      const { send } = await serve({ afterCreate: () => undefined })
      for (let time = 0; time < 5; time += 1) {
        stage.way.plan({ at: (sent) => /begin|start transaction/i.test(sent), lost: 'question' })
        const reply = await send('POST', '/things/', { name: 'second' })
        expect(reply).toMatchObject({ status: 503, code: 'unavailable' })
      }
      expect(await send('POST', '/things/', { name: 'third' })).toMatchObject({ status: 201 })
      expect(await stage.names()).toEqual(['first', 'third'])
    })

    it('a hook that meets it outside of a transaction is a 503, too', async () => {
      const { send } = await serve({
        scope: async (_request, { db }) => {
          await executeWith(db, 'select 1 as scoped')
          return {}
        },
      })
      stage.way.plan({ at: (sent) => sent.includes('as scoped'), lost: 'answer', times: 9 })
      const [read, write] = [await send('GET', '/things/'), await send('DELETE', '/things/1')]
      expect(read).toMatchObject({ status: 503, code: 'unavailable', retry: '5' })
      expect(write).toMatchObject({ status: 503, code: 'outcome_unknown', retry: '5' })
      expect(read.text + write.text).not.toMatch(driverWords)
    })
  })

  // The other ORMs listen to a connection one tick too late for that.
  it.each(['node-postgres', 'postgres.js'] as const)(
    'a server that ends right behind its welcome ends nobody else, with %s',
    async (driver) => {
      const { send } = await stage.serve(driver, { max: 2 }, { afterCreate: () => undefined })
      stage.way.plan({ at: (sent) => /begin|start transaction/i.test(sent), lost: 'question', times: 9 })
      await Promise.all([1, 2].map(() => send('POST', '/things/', { name: 'on all connections' })))
      stage.way.plan({
        at: (sent) => sent.includes('c=biws,'),
        lost: 'what follows',
        farewell: serverEnds,
        times: 9,
      })
      expect(await send('POST', '/things/', { name: 'second' })).toMatchObject(away)
      expect(stage.way.done).toBeGreaterThan(0)
      stage.way.plan({ at: () => false, lost: 'question' })
      expect(await send('POST', '/things/', { name: 'third' })).toMatchObject({ status: 201 })
      expect(await stage.names()).toEqual(['first', 'third'])
    },
  )

  // postgres.js ends the process there, as docs/databases.md says.
  const serveWith = (hooks: ThingHooks) => stage.serve('node-postgres', { max: 2 }, hooks)

  it.each([
    ['the statement', 'insert into'],
    ['the statement of a hook', 'update things'],
  ])('before the commit nothing was done: %s', async (_what, statement) => {
    const { send } = await serveWith({
      afterCreate: async (_request, _record, { db }) => {
        await executeWith(db, 'update things set times = times + 1')
      },
    })
    stage.way.plan({ at: (sent) => sent.includes(statement), lost: 'answer', times: 9 })
    const reply = await send('POST', '/things/', { name: 'second' })
    expect(reply).toMatchObject({ status: 503, code: 'unavailable', retry: '5' })
    expect(reply.text).not.toMatch(driverWords)
    expect(await stage.names()).toEqual(['first'])
  })

  it('a hook that goes on over a broken connection goes nowhere', async () => {
    const { send } = await serveWith({
      afterCreate: async (_request, _record, { db }) => {
        for (const statement of ['update things set times = 1', 'delete from things']) {
          try {
            await executeWith(db, statement)
          } catch {
            // It goes on.
          }
        }
      },
    })
    stage.way.plan({ at: (sent) => sent.includes('update things'), lost: 'answer' })
    const reply = await send('POST', '/things/', { name: 'second' })
    expect(reply).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await stage.names()).toEqual(['first'])
    expect(await send('POST', '/things/', { name: 'third' })).toMatchObject({ status: 201 })
  })

  const withHook: ThingHooks = { afterUpdate: () => undefined }

  it.each([
    ['a read is asked again', 'GET', undefined, /"things"/, { status: 200 }],
    ['nobody knows of a write', 'PATCH', {}, /update "things"/, { status: 503, code: 'outcome_unknown' }],
    ['a transaction was not done', 'PATCH', withHook, /update "things"/, away],
    ['nobody knows of a commit', 'PATCH', withHook, /commit/, { status: 503, code: 'outcome_unknown' }],
  ] as const)('a server that falls silent is given up by node-postgres: %s', async (...row) => {
    const [, method, hooks, at, expected] = row
    const { send } = await stage.serve('node-postgres', { max: 2, patience: 300 }, hooks)
    stage.way.plan({ at: (sent) => at.test(sent), lost: 'both, in silence' })
    const body = method === 'GET' ? undefined : { name: 'x' }
    const reply = await send(method, '/things/1', body)
    expect(reply).toMatchObject(expected)
    expect(reply.text).not.toMatch(driverWords)
    expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
  })
})
