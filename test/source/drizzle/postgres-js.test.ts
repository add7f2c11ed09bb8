import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { drizzleContract } from '../../contract/drizzle-source.ts'
import { createPg, pgLibrary } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const contractOf = (name: string, options: postgres.Options<Record<string, never>>): void =>
  drizzleContract(name, async () => {
    const database = await createDatabase('library')
    const client = postgres(database.url, { ...options, max: 4, onnotice: () => undefined })
    for (const statement of createPg) await client.unsafe(statement)
    const db = drizzle(client)
    const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
    const prepare = vi.spyOn(session, 'prepareQuery')
    return {
      source: drizzleModels(db, pgLibrary),
      tables: pgLibrary,
      execute: (statements) => client.unsafe(statements),
      prepared: () => prepare.mock.calls.length,
      spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
      kill: () => client.end(),
      close: async () => {
        await client.end()
        await database.drop()
      },
    }
  })

onPostgres('the contract of a source of models on PostgreSQL', () => {
  contractOf('drizzle on postgres.js', {})
  contractOf('drizzle on postgres.js that asks for no types', { fetch_types: false })
})
