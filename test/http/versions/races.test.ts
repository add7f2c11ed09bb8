import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { ModelRestOptions, ModelSource } from '../../../src/index.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { onFastify } from '../../stage/apps.ts'
import { openPglite, openSqlite, type TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { ormPools } from '../orm-things.ts'
import { createThings } from '../postgres-things.ts'
import { countUp, ddl, tables, versions } from './counters.ts'

const onModels = async (
  models: ModelSource,
  modelConfig: ModelRestOptions['modelConfig'],
  test: (send: Send) => Promise<void>,
): Promise<void> => {
  const app = await onFastify(
    { models, modelConfig, settings: { maxWaiting: 0 } } as Partial<ModelRestOptions>,
    {
      base: '',
      logger: 'error',
    },
  )
  try {
    await test(senderTo(app))
  } finally {
    await app.stop()
  }
}

const CLIENTS = 50

/** Nothing is lost: as many changes are stored as clients were told. */
const assertCounts = async (send: Send): Promise<void> => {
  const made = await send('POST', '/counters/', { body: { count: 0 } })
  expect(made.status, made.text).toBe(201)
  expect(await countUp(send, '/counters/1', { clients: CLIENTS })).toEqual(['412 precondition_failed'])
  expect((await send('GET', '/counters/1')).json).toMatchObject({ count: CLIENTS })
}

/** Each write raises the version, whatever others do at the same time. */
const assertRaised = async (send: Send): Promise<void> => {
  await send('POST', '/counters/', { body: { count: 0 } })
  const written = await Promise.all(
    Array.from({ length: CLIENTS }, (_, count) => send('PATCH', '/counters/1', { body: { count } })),
  )
  expect(new Set(written.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(written.map(({ headers }) => headers['etag'])).size).toBe(CLIENTS)
}

const racing = (open: () => TestDatabase | Promise<TestDatabase>): void => {
  const on = async (config: object | undefined, test: (send: Send) => Promise<void>): Promise<void> => {
    const database = await open()
    try {
      await onModels(database.models, { Counter: config }, test)
    } finally {
      await database.close()
    }
  }

  it.each(Object.entries(versions))('keep every change, with the version: %s', async (_name, config) => {
    await on(config, assertCounts)
  })

  it.each([versions.integer, versions.timestamp])(
    'raise a version once for each write: %o',
    async (config) => {
      await on(config, assertRaised)
    },
  )
}

describe('clients that change one record at the same time', () => {
  describe('on SQLite', () => racing(() => openSqlite(tables.sqlite, ddl.sqlite)))
  describe('on PGlite', () => racing(() => openPglite(tables.postgres, ddl.postgres)))
  onPostgres('racing changes on PostgreSQL', () => {
    describe('on PostgreSQL', () =>
      racing(() => openPostgres(tables.postgres, ddl.postgres, { connections: 6 })))
  })
  onEachMysql('racing changes', (kind) => {
    describe(`on ${kind}`, () => racing(() => openMysql(kind, tables.mysql, ddl.mysql, { connections: 6 })))
  })

  onPostgres('racing changes of ORMs', () => {
    describe.each(Object.keys(ormPools) as readonly (keyof typeof ormPools)[])('with %s', (orm) => {
      const on = async (config: object | undefined, test: (send: Send) => Promise<void>): Promise<void> => {
        const database = await createDatabase('racing')
        const outside = new pg.Client(database.url)
        await outside.connect()
        await outside.query(createThings)
        await outside.end()
        const options = { max: 6, connectWithin: 10_000, patience: undefined, options: '' }
        const { models, end } = await ormPools[orm]({ url: database.url, ...options })
        try {
          await onModels(models, { Thing: config }, test)
        } finally {
          await end()
          await database.drop()
        }
      }

      it('keep every change', async () => {
        await on(undefined, async (send) => {
          await send('POST', '/things/', { body: { name: 'a' } })
          expect(await countUp(send, '/things/1', { clients: 20, field: 'times' })).toEqual([
            '412 precondition_failed',
          ])
          expect((await send('GET', '/things/1')).json).toMatchObject({ times: 20 })
        })
      })

      it('raise an integer version once for each write', async () => {
        await on({ version: 'times' }, async (send) => {
          await send('POST', '/things/', { body: { name: 'a' } })
          const written = await Promise.all(
            Array.from({ length: 20 }, (_, at) => send('PATCH', '/things/1', { body: { name: `${at}` } })),
          )
          expect(new Set(written.map(({ status }) => status))).toEqual(new Set([200]))
          const last = await send('GET', '/things/1')
          expect([last.json['times'], last.headers['etag']]).toEqual([21, '"21"'])
          const headers = { 'if-match': '"21"' }
          const raced = await Promise.all(
            ['x', 'y', 'z'].map((name) => send('PATCH', '/things/1', { body: { name }, headers })),
          )
          expect(raced.map(({ status }) => status).sort()).toEqual([200, 412, 412])
        })
      })
    })
  })
})
