import { expect, test } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { comparedOnPostgres, comparedOnSqlite } from './same-shop.ts'
import { onPg, onSqlite } from './typeorm-shop.ts'

test('TypeORM on SQLite answers as Drizzle does', async () => {
  expect(await comparedOnSqlite(onSqlite)).toEqual([])
}, 120_000)

onPostgres('the scenario with TypeORM on PostgreSQL', () => {
  test('TypeORM on PostgreSQL answers as Drizzle does', async () => {
    expect(await comparedOnPostgres(onPg)).toEqual([])
  }, 120_000)
})
