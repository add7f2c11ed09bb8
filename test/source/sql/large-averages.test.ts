import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { everything } from '../../../src/query/ast.ts'
import { startPglite } from '../../stage/pglite.ts'

const client = await startPglite()
afterAll(() => client.close())

it('averages of more than sixteen digits are sorted by all of their digits', async () => {
  await client.exec(`create table things (id integer primary key, kind text, stock bigint);
    insert into things values (1, 'b', -9223372036854775808), (2, 'b', 0), (3, 'b', -2), (4, 'a', -3074457345618258603)`)
  const things = pgTable('things', {
    ...{ id: integer().primaryKey(), kind: text() },
    stock: bigint({ mode: 'bigint' }),
  })
  const source = drizzleModels(drizzle(client), { things })
  const [model] = source.models
  if (model === undefined) throw new Error('There is a table.')
  const rows = await source.store(model).aggregate?.(
    {
      ...{ filter: everything, groups: [{ field: 'kind' }], aggregates: [{ fn: 'avg', field: 'stock' }] },
      order: ['avg_stock', 'kind'].map((column) => ({ column, direction: 'asc' as const })),
      ...{ limit: 10, timezone: 'UTC' },
    },
    everything,
  )
  expect(rows).toEqual([
    { kind: 'b', avg_stock: '-3074457345618258603.3333' },
    { kind: 'a', avg_stock: '-3074457345618258603.0000' },
  ])
})
