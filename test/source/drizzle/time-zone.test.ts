import Database from 'better-sqlite3'
import { drizzle as sqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as pg } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { expect } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type OpenedSource, type Runner, sourceContract } from '../../../src/testing/index.ts'
import { createPg, createSqlite, pgLibrary, sqliteLibrary } from '../../contract/library.ts'
import { onlyParts, runner } from '../../runner.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const before = process.env['TZ']

/** The parts in which a time could depend on the zone of the process, which is in another zone as long as they run. */
const abroad: Runner = {
  ...onlyParts(/values|conditions|sorting|selected fields/),
  before: (body) =>
    runner.before(async () => {
      process.env['TZ'] = 'America/St_Johns'
      expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(210)
      await body()
    }),
  after: (body) =>
    runner.after(async () => {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
      await body()
    }),
}

const contractOf = (name: string, extent: 'complete' | 'short', open: () => Promise<OpenedSource>): void =>
  sourceContract(abroad, {
    ...{ name: `${name} in St. John's`, extent, open },
    notTested: () => undefined,
  })

contractOf('drizzle on better-sqlite3', 'complete', async () => {
  const database = new Database(':memory:')
  for (const statement of createSqlite) database.exec(statement)
  return { source: drizzleModels(sqlite(database), sqliteLibrary), close: () => database.close() }
})

onPostgres('times in another zone', () =>
  contractOf('drizzle on node-postgres', 'short', async () => {
    const { url, drop } = await createDatabase('zone')
    const pool = new Pool({ connectionString: url, max: 4 })
    for (const statement of createPg) await pool.query(statement)
    const close = async () => {
      await pool.end()
      await drop()
    }
    return { source: drizzleModels(pg(pool), pgLibrary), close }
  }),
)
