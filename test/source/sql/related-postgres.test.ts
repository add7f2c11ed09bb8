import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as postgresJs } from 'drizzle-orm/postgres-js'
import pg from 'pg'
import postgres from 'postgres'
import { it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createCompany, fillCompany } from './company.ts'
import { pgCompany, pgNoCase, pgText } from './company-tables.ts'
import { assertRelations } from './related-random.ts'

onPostgres('random questions about related records on PostgreSQL', () => {
  it.each(['deterministic', 'case-insensitive'])('random questions with a %s collation', async (kind) => {
    const database = await createDatabase('company')
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const isCaseIgnored = kind === 'case-insensitive'
    if (isCaseIgnored)
      await pool.query(
        `create collation nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      )
    const collate = isCaseIgnored ? ' collate nocase' : ''
    for (const statement of createCompany({ text: 'text', key: `varchar(20)${collate}` }))
      await pool.query(statement)
    const source = drizzleModels(drizzle(pool), pgCompany(isCaseIgnored ? pgNoCase : pgText))
    await fillCompany(source, isCaseIgnored)
    await assertRelations(source, 250)
    await pool.end()
    await database.drop()
  })

  it('random questions through postgres.js', async () => {
    const database = await createDatabase('company')
    const client = postgres(database.url, { max: 2, onnotice: () => undefined })
    for (const statement of createCompany({ text: 'text', key: 'varchar(20)' }))
      await client.unsafe(statement)
    const source = drizzleModels(postgresJs(client), pgCompany(pgText))
    await fillCompany(source, false)
    await assertRelations(source, 60)
    await client.end()
    await database.drop()
  })
})
