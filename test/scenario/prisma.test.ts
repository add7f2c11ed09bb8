import { expect, test } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { onPg, onSqlite } from './prisma-shop.ts'
import { comparedOnPostgres, comparedOnSqlite } from './same-shop.ts'

test('Prisma on SQLite answers as Drizzle does', async () => {
  expect(await comparedOnSqlite(onSqlite)).toEqual([
    // It cannot search for wildcards.
    'GET products/?q=name=%25 400, not 200',
    'GET products/?q=name=_ 400, not 200',
    // It sums no decimals: SQLite stores them as floating-point numbers.
    'GET order-items/aggregate?aggregate=count,sum(quantity),avg(quantity),sum(unit_price),avg(unit_price) 400, not 200',
    // It has neither lengths nor digits after the point, which some of the details name.
    'POST orders/3/items/ 422, not 422',
    ...['PATCH products/1 200, not 422', 'PATCH products/1 200, not 422', 'PATCH products/1 200, not 422'],
    ...['PATCH products/1 422, not 422', 'PATCH orders/1 422, not 422', 'POST products/ 422, not 422'],
    'GET products/?q=price>dear 400, not 400',
  ])
}, 120_000)

onPostgres('the scenario with Prisma on PostgreSQL', () => {
  test('Prisma on PostgreSQL answers as Drizzle does', async () => {
    expect(await comparedOnPostgres(onPg)).toEqual([])
  }, 120_000)
})
