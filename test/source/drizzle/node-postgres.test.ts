import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { drizzleContract } from '../../contract/drizzle-source.ts'
import { createPg, pgLibrary } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

onPostgres('the contract of a source of models on PostgreSQL', () =>
  drizzleContract('drizzle on node-postgres', async () => {
    const database = await createDatabase('library')
    const pool = new pg.Pool({ connectionString: database.url, max: 4 })
    for (const statement of createPg) await pool.query(statement)
    const db = drizzle(pool)
    const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
    const prepare = vi.spyOn(session, 'prepareQuery')
    return {
      source: drizzleModels(db, pgLibrary),
      server: 'pg',
      tables: pgLibrary,
      execute: (statements) => pool.query(statements),
      prepared: () => prepare.mock.calls.length,
      spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
      kill: () => pool.end(),
      close: async () => {
        if (!pool.ended) await pool.end()
        await database.drop()
      },
    }
  }),
)
