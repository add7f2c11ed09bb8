import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, serial, text, withReplicas } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { onPostgres } from '../servers/test-database.ts'
import { executeWith, type ThingHooks, transactionWith } from './hooked.ts'
import { cutStage } from './postgres-stage.ts'
import type { PostgresThings } from './postgres-things.ts'
import { serverEnds } from './server-ends.ts'

onPostgres('transactions that hooks open themselves', () => {
  const stage = cutStage('hooktx', [])

  const twice = (db: unknown): Promise<unknown> =>
    transactionWith(db, async (inside) => {
      await executeWith(inside, `insert into things (name) values ('of the hook')`)
      await executeWith(inside, 'select 2')
    })

  describe.each(['node-postgres', 'postgres.js'] as const)('with %s', (driver) => {
    const serve = async (hooks?: ThingHooks): Promise<PostgresThings> => {
      return await stage.serve(driver, { max: 2 }, hooks)
    }

    it('store what they do', async () => {
      const { send } = await serve({
        beforeCreate: (_request, _payload, _schema, { db }) => twice(db) as never,
      })
      expect(await send('POST', '/things/', { name: 'own' })).toMatchObject({ status: 201 })
      expect(await stage.names()).toEqual(['of the hook', 'own'])
    })

    it('are undone by what they throw', async () => {
      const { send } = await serve({
        beforeCreate: async (_request, _payload, _schema, { db }) => {
          const failing = transactionWith(db, async (inside) => {
            await executeWith(inside, `insert into things (name) values ('of the hook')`)
            throw new Error('no')
          })
          await expect(failing).rejects.toThrow(/^no$/)
        },
      })
      expect(await send('POST', '/things/', { name: 'own' })).toMatchObject({ status: 201 })
      expect(await stage.names()).toEqual(['own'])
    })

    it('keep no connection where they cannot begin', async () => {
      const { send } = await serve({
        beforeCreate: (_request, _payload, _schema, { db }) => twice(db) as never,
      })
      for (let time = 0; time < 3; time += 1) {
        stage.way.plan({ at: (sent) => /begin/i.test(sent), lost: 'question' })
        expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 503 })
      }
      expect(await send('POST', '/things/', { name: 'second' })).toMatchObject({ status: 201 })
    })
  })

  // postgres.js ends the process there, as docs/databases.md says.
  const serveWith = (hooks: ThingHooks) => stage.serve('node-postgres', { max: 2 }, hooks)

  it('end nobody else where their connection breaks between two statements', async () => {
    const { send } = await serveWith({
      beforeCreate: (_request, _payload, _schema, { db }) => twice(db) as never,
    })
    stage.way.plan({
      at: (sent) => sent.includes('of the hook'),
      lost: 'what follows',
      farewell: serverEnds,
    })
    expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 503 })
    expect(stage.way.done).toBe(1)
    expect(await stage.names()).toEqual([])
    expect(await send('POST', '/things/', { name: 'second' })).toMatchObject({ status: 201 })
  })

  it('end nobody else where that happens after the commit', async () => {
    const failed = Promise.withResolvers<unknown>()
    const { send } = await serveWith({
      afterCommit: async (_request, _event, _record, { db }) => {
        await twice(db).catch(failed.resolve)
      },
    })
    stage.way.plan({
      at: (sent) => sent.includes('of the hook'),
      lost: 'what follows',
      farewell: serverEnds,
    })
    expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 201 })
    expect(await failed.promise).toBeInstanceOf(Error)
    expect(await stage.names()).toEqual(['first'])
    expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
  })

  it('pools of replicas outlive connections that break, also where nothing is read from them', async () => {
    const things = pgTable('things', { id: serial().primaryKey(), name: text().notNull() })
    const [primary, replica] = [
      new pg.Pool({ connectionString: stage.url }),
      new pg.Pool({ connectionString: stage.way.url }),
    ]
    const db = withReplicas(drizzle(primary), [drizzle(replica)])
    drizzleModels(db, { things })
    const removed = new Promise((resolve) => replica.on('remove', resolve))
    stage.way.plan({ at: (sent) => sent.includes('as idle'), lost: 'what follows', farewell: serverEnds })
    await db.select({ idle: sql`1 as idle` }).from(things)
    await removed
    expect(await db.select().from(things)).toEqual([])
    await Promise.all([primary.end(), replica.end()])
  })
})
