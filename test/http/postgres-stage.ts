import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Cutting, cuttingBefore } from '../servers/cutting.ts'
import { createDatabase, type TestDatabase } from '../servers/test-database.ts'
import type { ThingHooks } from './hooked.ts'
import { createThings, type PostgresDriver, type PostgresThings, startThings } from './postgres-things.ts'

/** Who waits for a lock in this database: the server has those of other files too. */
export const isWaiting = `wait_event_type = 'Lock' and datname = current_database()`

type Serving = Partial<Parameters<typeof startThings>[1]>

/** What tests of things on PostgreSQL have: a database of their own, and somebody else's connection to it. */
export interface PostgresStage {
  readonly url: string
  /** Who is no part of the service. */
  readonly outside: pg.Client
  /** Starts a service, which ends with the test. */
  serve(driver: PostgresDriver, options: Serving, hooks?: ThingHooks): Promise<PostgresThings>
  /** The names of what is stored, in order. */
  names(): Promise<readonly unknown[]>
  isSomebodyWaiting(): Promise<boolean>
}

/** A stage with a way to the database that breaks as a test plans it. The service goes by it. */
export interface CutStage extends PostgresStage {
  readonly way: Cutting
}

/**
 * Sets the stage for the tests of a file.
 *
 * @param name of the database
 * @param first the names of the things that each test finds
 * @param also run once, behind the table
 */
export const postgresStage = (name: string, first: readonly string[], also = ''): PostgresStage =>
  staged(name, first, also, () => undefined)

/** The same, with a way that breaks. */
export const cutStage = (name: string, first: readonly string[]): CutStage => {
  let way: Cutting | undefined
  const stage = staged(name, first, '', () => way?.url)
  beforeAll(async () => {
    way = await cuttingBefore(stage.url)
  })
  beforeEach(() => way?.plan({ at: () => false, lost: 'question' }))
  afterAll(() => way?.close())
  return Object.defineProperty(stage, 'way', { get: () => way }) as CutStage
}

const staged = (
  name: string,
  first: readonly string[],
  also: string,
  wayTo: () => string | undefined,
): PostgresStage => {
  let database: TestDatabase
  let outside: pg.Client
  let service: PostgresThings | undefined

  beforeAll(async () => {
    database = await createDatabase(name)
    outside = new pg.Client(database.url)
    await outside.connect()
    await outside.query(`${createThings}; ${also}`)
  })
  beforeEach(async () => {
    await outside.query('truncate things restart identity')
    for (const text of first) await outside.query('insert into things (name) values ($1)', [text])
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

  return {
    get url() {
      return database.url
    },
    get outside() {
      return outside
    },
    serve: async (driver, options, hooks) => {
      service = await startThings(driver, { url: wayTo() ?? database.url, ...options }, hooks)
      return service
    },
    names: async () =>
      (await outside.query('select name from things order by id')).rows.map(({ name: text }) => text),
    isSomebodyWaiting: async () =>
      (await outside.query(`select 1 from pg_stat_activity where ${isWaiting}`)).rows.length > 0,
  }
}
