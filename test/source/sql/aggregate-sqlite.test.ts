import { createClient } from '@libsql/client'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import { it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { assertAggregates } from './aggregate-random.ts'
import { createSqlite, sqliteSales } from './sales.ts'

it.each(['binary', 'nocase'])('random aggregations on SQLite, texts in %s', async (collation) => {
  const client = new Database(':memory:')
  client.exec(createSqlite(collation))
  const source = drizzleModels(drizzle(client), { sales: sqliteSales })
  await assertAggregates(source, 400, { isSorted: collation === 'binary' })
  client.close()
})

it('random aggregations on libsql', async () => {
  const client = createClient({ url: ':memory:' })
  await client.execute(createSqlite('binary'))
  await assertAggregates(drizzleModels(libsql(client), { sales: sqliteSales }), 100)
  client.close()
})
