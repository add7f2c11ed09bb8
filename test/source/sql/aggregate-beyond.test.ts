import { decimal, int, mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/node-postgres'
import { doublePrecision, integer, numeric, pgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { testApi } from '../../../src/testing/index.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { openMysql } from '../drizzle/open-mysql.ts'

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

onEachMysql('sums beyond the digits of a decimal', (kind) =>
  it('are refused in conditions on groups, which would take them for the largest decimal', async () => {
    const create = 'create table sums (id int primary key, wide decimal(65,30), plain decimal(20,4))'
    const sums = mysqlTable('sums', {
      id: int().primaryKey(),
      wide: decimal({ precision: 65, scale: 30 }),
      plain: decimal({ precision: 20, scale: 4 }),
    })
    const { source, pool, close } = await openMysql([create], { sums }, { kind })
    await pool.query(`insert into sums values (1, ${'9'.repeat(35)}.5, 1.5)`)
    const api = await testApi({ models: source })
    const ask = async (having: string) => {
      const path = `/sums/aggregate?aggregate=sum(wide),avg(plain)&having=${having}`
      const { status, text } = await api.get(path)
      const { code, items } = JSON.parse(text) as {
        readonly code?: string
        readonly items?: readonly object[]
      }
      return [status, code ?? items?.length]
    }
    expect(await ask('sum_wide>1')).toEqual([400, 'invalid_operator'])
    expect(await ask('avg_plain==1.5')).toEqual([200, 1])
    expect(await ask(`avg_plain<1${'0'.repeat(70)}`)).toEqual([400, 'invalid_operator'])
    await api.close()
    await close()
  }),
)
