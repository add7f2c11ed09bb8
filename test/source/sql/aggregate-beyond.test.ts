import { drizzle } from 'drizzle-orm/node-postgres'
import { doublePrecision, integer, numeric, pgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { testApi } from '../../../src/testing/index.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

onPostgres('sums that no number can hold', () => {
  it('are not errors of a body', async () => {
    const database = await createDatabase('forces')
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await pool.query('create table forces (id int primary key, force double precision, weight numeric)')
    await pool.query("insert into forces values (1, 1e308, 'NaN'), (2, 1e308, 1)")
    const forces = pgTable('forces', {
      id: integer().primaryKey(),
      force: doublePrecision(),
      weight: numeric(),
    })
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const api = await testApi({ models: drizzleModels(drizzle(pool), { forces }), log })
    for (const aggregate of ['sum(force)', 'avg(force)', 'sum(weight)', 'avg(weight)']) {
      const { status, problem } = await api.get(`/forces/aggregate?aggregate=${aggregate}`)
      expect([aggregate, status, problem.code]).toEqual([aggregate, 500, 'unrepresentable_value'])
    }
    await api.close()
    await pool.end()
    await database.drop()
  })
})
