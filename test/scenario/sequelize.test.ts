import { expect, test } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { comparedOnPostgres, comparedOnSqlite, withoutMilliseconds } from './same-shop.ts'
import { onPg, onSqlite } from './sequelize-shop.ts'

test('Sequelize on SQLite answers as Drizzle does', async () => {
  expect(await comparedOnSqlite(onSqlite)).toEqual([])
}, 120_000)

onPostgres('the scenario with Sequelize on PostgreSQL', () => {
  test('Sequelize on PostgreSQL answers as Drizzle does', async () => {
    expect(await comparedOnPostgres(onPg, withoutMilliseconds)).toEqual([])
  }, 120_000)
})
