import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'
import { createCompany, fillCompany } from './company.ts'
import { companyTables } from './company-tables.ts'

onEachMysql('a list sorted over a relation', (kind) => {
  it('takes a related record that its scope leaves out for none', async () => {
    const database = await createMysqlDatabase('company', { kind, collation: 'by code point' })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 4 })
    for (const statement of createCompany({ text: 'text', key: 'varchar(20)' })) await pool.query(statement)
    const source = drizzleModels(drizzle(pool), companyTables('mysql'))
    await fillCompany(source, false)
    const model = source.models.find(({ name }) => name === 'PersonTag')
    if (model === undefined) throw new Error('PersonTag is missing.')
    // Only the first person has somebody to manage among those with an id up to 1.
    const guard: Condition = {
      op: 'related',
      relation: 'people',
      condition: { op: 'le', field: 'id', value: 1 },
    }
    const via = [
      { relation: 'person', guard },
      { relation: 'team', guard: everything },
    ]
    const list = (order: readonly Order[]) =>
      source
        .store(model)
        .list({ filter: { op: 'eq', field: 'weight', value: 1 }, order, limit: 3, offset: 0 }, everything)
    const byKey = [
      { field: 'personId', direction: 'asc' },
      { field: 'tagCode', direction: 'asc' },
    ] as const
    const sorted = await list([{ field: 'code', direction: 'asc', via }, ...byKey])
    expect(sorted.map(({ personId, tagCode }) => [personId, tagCode])).toEqual(
      (await list(byKey)).map(({ personId, tagCode }) => [personId, tagCode]),
    )
    await pool.end()
    await database.drop()
  })
})

/** MySQL compares constants of one column by their own collations, and refuses if they differ. */
onEachMysql('the record of a key that has a backslash', (kind) => {
  it.each(['\\', '\\'.repeat(60)])(
    'is read below a scope that wants another value of its field, %s',
    async (key) => {
      const database = await createMysqlDatabase('company', { kind, collation: 'as the server does' })
      const pool = mysql.createPool({ uri: database.url, connectionLimit: 4 })
      try {
        for (const statement of createCompany({ text: 'text', key: 'varchar(20)' }))
          await pool.query(statement)
        const source = drizzleModels(drizzle(pool), companyTables('mysql'))
        await fillCompany(source, true)
        const model = source.models.find(({ name }) => name === 'Team')
        if (model === undefined) throw new Error('Team is missing.')
        const scope: Condition = {
          ...{ op: 'related', relation: 'people' },
          condition: { op: 'eq', field: 'region', value: 'north' },
        }
        expect(await source.store(model).read([key, 1], scope)).toBe(undefined)
      } finally {
        await pool.end()
        await database.drop()
      }
    },
  )
})
