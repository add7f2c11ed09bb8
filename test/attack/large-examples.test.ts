import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text, vector } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { exampleOf } from '../../src/schema/example.ts'
import { schemaNames } from '../../src/schema/members.ts'

const modelWith = (scores: ReturnType<typeof integer>) => {
  const samples = pgTable('samples', {
    ...{ id: integer().primaryKey(), name: text().notNull(), scores: scores.notNull() },
    embedding: vector({ dimensions: 3 }),
  })
  const [model = expect.unreachable()] = drizzleModels(drizzle.mock(), { samples }).models
  return model
}

// PostgreSQL accepts each of these sizes and ignores it. The last is beyond the arrays of JavaScript.
test.each([
  ['16,001 elements', () => integer().array(16_001)],
  ['a million elements in two dimensions', () => integer().array(1000).array(1000)],
  ['more elements than an array can have', () => integer().array(2 ** 32)],
])('examples leave out an array of %s', (_name, scores) => {
  const model = modelWith(scores() as never)
  for (const which of schemaNames) {
    const example = exampleOf(model, which)
    expect([which, Object.keys(example).includes('scores')]).toEqual([which, false])
    expect(JSON.stringify(example).length).toBeLessThan(200)
  }
  expect(exampleOf(model, 'create')).toMatchObject({ name: 'Example sample', embedding: [1, 1, 1] })
})

test('examples have an array of 16,000 elements, the dimensions of the largest vectors', () => {
  const model = modelWith(integer().array(16_000) as never)
  expect(exampleOf(model, 'create')['scores']).toHaveLength(16_000)
})
