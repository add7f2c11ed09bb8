import { createClient } from '@libsql/client'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import { it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { createCompany, fillCompany } from './company.ts'
import { sqliteCompany } from './company-tables.ts'
import { assertRelations } from './related-random.ts'

it.each(['binary', 'nocase'])(
  'random questions about related records on SQLite, texts in %s',
  async (collation) => {
    const client = new Database(':memory:')
    for (const statement of createCompany({ text: `text collate ${collation}`, decimal: 'integer' }))
      client.exec(statement)
    const source = drizzleModels(drizzle(client), sqliteCompany)
    await fillCompany(source, collation === 'nocase')
    await assertRelations(source, 400)
    client.close()
  },
)

it('random questions about related records on libsql', async () => {
  const client = createClient({ url: ':memory:' })
  for (const statement of createCompany({ text: 'text', decimal: 'integer' })) await client.execute(statement)
  const source = drizzleModels(libsql(client), sqliteCompany)
  await fillCompany(source, false)
  await assertRelations(source, 100)
  client.close()
})
