import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, serial, text, withReplicas } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { type Cutting, cuttingBefore } from '../servers/cutting.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { executeWith, type ThingHooks, transactionWith } from './hooked.ts'
import { createThings, type PostgresThings, startThings } from './postgres-things.ts'
import { serverEnds } from './server-ends.ts'

onPostgres('transactions that hooks open themselves', () => {
  let database: TestDatabase
  let outside: pg.Client
  let way: Cutting
  let service: PostgresThings | undefined

  beforeAll(async () => {
    database = await createDatabase('hooktx')
    outside = new pg.Client(database.url)
    await outside.connect()
    await outside.query(createThings)
    way = await cuttingBefore(database.url)
  })
  beforeEach(async () => {
    way.plan({ at: () => false, lost: 'question' })
    await outside.query('truncate things restart identity')
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
  })
  afterAll(async () => {
    await way.close()
    await outside.end()
    await database.drop()
  })

  const names = async (): Promise<readonly unknown[]> =>
    (await outside.query('select name from things order by id')).rows.map(({ name }) => name)

  describe.each(['node-postgres', 'postgres.js'] as const)('with %s', (driver) => {
    const serve = async (hooks?: ThingHooks): Promise<PostgresThings> => {
      service = await startThings(driver, { url: way.url, max: 2 }, hooks)
      return service
    }

    const twice = (db: unknown): Promise<unknown> =>
      transactionWith(db, async (inside) => {
        await executeWith(inside, `insert into things (name) values ('of the hook')`)
        await executeWith(inside, 'select 2')
      })

    it('store what they do', async () => {
      const { send } = await serve({
        beforeCreate: (_request, _payload, _schema, { db }) => twice(db) as never,
      })
      expect(await send('POST', '/things/', { name: 'own' })).toMatchObject({ status: 201 })
      expect(await names()).toEqual(['of the hook', 'own'])
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
      expect(await names()).toEqual(['own'])
    })

    it('end nobody else where their connection breaks between two statements', async () => {
      const { send } = await serve({
        beforeCreate: (_request, _payload, _schema, { db }) => twice(db) as never,
      })
      way.plan({ at: (sent) => sent.includes('of the hook'), lost: 'what follows', farewell: serverEnds })
      expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 503 })
      expect(way.done).toBe(1)
      expect(await names()).toEqual([])
      expect(await send('POST', '/things/', { name: 'second' })).toMatchObject({ status: 201 })
    })

    it('end nobody else where that happens after the commit', async () => {
      const failed = Promise.withResolvers<unknown>()
      const { send } = await serve({
        afterCommit: async (_request, _event, _record, { db }) => {
          await twice(db).catch(failed.resolve)
        },
      })
      way.plan({ at: (sent) => sent.includes('of the hook'), lost: 'what follows', farewell: serverEnds })
      expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 201 })
      expect(await failed.promise).toBeInstanceOf(Error)
      expect(await names()).toEqual(['first'])
      expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
    })

    it('keep no connection where they cannot begin', async () => {
      const { send } = await serve({
        beforeCreate: (_request, _payload, _schema, { db }) => twice(db) as never,
      })
      for (let time = 0; time < 3; time += 1) {
        way.plan({ at: (sent) => /begin/i.test(sent), lost: 'question' })
        expect(await send('POST', '/things/', { name: 'first' })).toMatchObject({ status: 503 })
      }
      expect(await send('POST', '/things/', { name: 'second' })).toMatchObject({ status: 201 })
    })
  })

  it('pools of replicas outlive connections that break, also where nothing is read from them', async () => {
    const things = pgTable('things', { id: serial().primaryKey(), name: text().notNull() })
    const [primary, replica] = [
      new pg.Pool({ connectionString: database.url }),
      new pg.Pool({ connectionString: way.url }),
    ]
    const db = withReplicas(drizzle(primary), [drizzle(replica)])
    drizzleModels(db, { things })
    const removed = new Promise((resolve) => replica.on('remove', resolve))
    way.plan({ at: (sent) => sent.includes('as idle'), lost: 'what follows', farewell: serverEnds })
    await db.select({ idle: sql`1 as idle` }).from(things)
    await removed
    expect(await db.select().from(things)).toEqual([])
    await Promise.all([primary.end(), replica.end()])
  })
})
