import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type Condition, everything } from '../../../src/query/ast.ts'
import { holds } from '../../../src/query/evaluate.ts'
import { jsonComparisons } from '../../../src/query/json-path.ts'
import { roundedTo } from '../../../src/source/sql/double.ts'
import { startPglite } from '../../stage/pglite.ts'

const client = await startPglite()
afterAll(() => client.close())

const asked = [0, 0.1, 0.3, 1, 2, 3, -1.5, 2 ** 53, 2 ** 53 + 2, 1e300, -1e-300, 5e-324, Number.MAX_VALUE]

/** Decimals around those that are read as a number, which only another program writes. */
const decimals = asked.flatMap((value) => {
  const { low, high } = roundedTo(value)
  return [String(value), low, high, ...[low, high].map((end) => `${end}${end.includes('.') ? '' : '.'}01`)]
})

it('numbers inside JSON with more digits than a double are compared as what they are read as', async () => {
  await client.exec('create table things (id integer primary key, data jsonb)')
  const things = pgTable('things', { id: integer().primaryKey(), data: jsonb() })
  for (const [id, text] of decimals.entries())
    await client.query('insert into things values ($1, $2)', [id, `{"n": ${text}, "list": [${text}]}`])
  const source = drizzleModels(drizzle(client), { things })
  const [model] = source.models
  if (model === undefined) throw new Error('There is a table.')
  const rows = decimals.map((text, id) => ({ id, data: { n: Number(text), list: [Number(text)] } }))
  for (const value of asked)
    for (const is of jsonComparisons)
      for (const path of [['n'], ['list']]) {
        const filter: Condition = { op: 'json', field: 'data', path, is, value }
        const expected = rows.filter((row) => holds(filter, row, { model })).length
        expect(await source.store(model).count(filter, everything), `${path} ${is} ${value}`).toBe(expected)
      }
})
