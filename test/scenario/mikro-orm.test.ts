import { expect, test } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { onPg, onSqlite } from './mikro-orm-shop.ts'
import { comparedOnPostgres, comparedOnSqlite } from './same-shop.ts'

test('MikroORM on SQLite answers as Drizzle does', async () => {
  expect(await comparedOnSqlite(onSqlite)).toEqual([])
}, 120_000)

onPostgres('the scenario with MikroORM on PostgreSQL', () => {
  test('MikroORM on PostgreSQL answers as Drizzle does', async () => {
    expect(await comparedOnPostgres(onPg)).toEqual([])
  }, 120_000)
})
