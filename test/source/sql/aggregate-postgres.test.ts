import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as postgresJs } from 'drizzle-orm/postgres-js'
import pg from 'pg'
import postgres from 'postgres'
import { it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { assertAggregates } from './aggregate-random.ts'
import { createPg, pgSales } from './sales.ts'

onPostgres('random aggregations on PostgreSQL', () => {
  it.each(['UTC', 'America/St_Johns'])('random aggregations with sessions in %s', async (zone) => {
    const database = await createDatabase('sales')
    const pool = new pg.Pool({ connectionString: database.url, max: 2, options: `-c timezone=${zone}` })
    await pool.query(createPg)
    await assertAggregates(drizzleModels(drizzle(pool), { sales: pgSales }), 200)
    await pool.end()
    await database.drop()
  })

  it('random aggregations through postgres.js', async () => {
    const database = await createDatabase('sales')
    const client = postgres(database.url, { max: 2, onnotice: () => undefined })
    await client.unsafe(createPg)
    await assertAggregates(drizzleModels(postgresJs(client), { sales: pgSales }), 60)
    await client.end()
    await database.drop()
  })
})
