import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleJs } from 'drizzle-orm/postgres-js'
import pg from 'pg'
import postgres from 'postgres'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { preparedBy } from '../../contract/drizzle-source/stage.ts'
import { drizzleContract } from '../../contract/drizzle-source.ts'
import { createPg, pgLibrary } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const library = {
  tables: pgLibrary,
  spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
}

const overPostgresJs = (name: string, options: postgres.Options<Record<string, never>>): void =>
  drizzleContract(name, async () => {
    const database = await createDatabase('library')
    const client = postgres(database.url, { ...options, max: 4, onnotice: () => undefined })
    for (const statement of createPg) await client.unsafe(statement)
    const db = drizzleJs(client)
    return {
      ...{ ...library, source: drizzleModels(db, pgLibrary), prepared: preparedBy(db) },
      execute: (statements) => client.unsafe(statements),
      kill: () => client.end(),
      close: async () => {
        await client.end()
        await database.drop()
      },
    }
  })

onPostgres('the contract of a source of models on PostgreSQL', () => {
  drizzleContract('drizzle on node-postgres', async () => {
    const database = await createDatabase('library')
    const pool = new pg.Pool({ connectionString: database.url, max: 4 })
    for (const statement of createPg) await pool.query(statement)
    const db = drizzle(pool)
    return {
      ...{ ...library, server: 'pg', source: drizzleModels(db, pgLibrary), prepared: preparedBy(db) },
      execute: (statements) => pool.query(statements),
      kill: () => pool.end(),
      close: async () => {
        if (!pool.ended) await pool.end()
        await database.drop()
      },
    }
  })
  overPostgresJs('drizzle on postgres.js', {})
  overPostgresJs('drizzle on postgres.js that asks for no types', { fetch_types: false })
})
