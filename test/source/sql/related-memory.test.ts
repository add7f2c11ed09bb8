import { drizzle } from 'drizzle-orm/better-sqlite3'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { TableFacts } from '../../../src/entry/source.ts'
import { memorySource } from '../../../src/testing/index.ts'
import { fillCompany } from './company.ts'
import { sqliteCompany } from './company-tables.ts'
import { assertRelations } from './related-random.ts'

it('random questions about related records of a memory source', async () => {
  const described = drizzleModels(drizzle.mock(), sqliteCompany)
  const facts = described.models.map(
    ({ name, fields, primaryKey, relations }): TableFacts => ({
      name,
      primaryKey,
      fields: fields.map(({ access: _access, optional: _optional, ...field }) => field),
      foreignKeys: relations
        .filter(({ kind }) => kind === 'to-one')
        .map((relation) => ({
          ...{ fields: relation.fields, model: relation.model, references: relation.references },
          ...{ name: relation.name, inverse: relation.inverse },
        })),
    }),
  )
  const source = memorySource(facts)
  expect(source.models.map(({ relations }) => relations)).toEqual(
    described.models.map(({ relations }) => relations),
  )
  await fillCompany(source, false)
  await assertRelations(source, 100)
})
