import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { drizzleContract } from '../../contract/drizzle-source.ts'
import { createSqlite, sqliteLibrary } from '../../contract/library.ts'

drizzleContract('drizzle on libsql', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-libsql-'))
  const client = createClient({ url: `file:${join(folder, 'library.db')}` })
  await client.executeMultiple(createSqlite.join(';\n'))
  const db = drizzle(client)
  const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
  const prepare = vi.spyOn(session, 'prepareQuery')
  return {
    source: drizzleModels(db, sqliteLibrary),
    tables: sqliteLibrary,
    execute: (statements) => client.executeMultiple(statements),
    prepared: () => prepare.mock.calls.length,
    // Its client ends strings at a null character.
    holds: (_field, value) => typeof value !== 'string' || !value.includes('\0'),
    spoil: { statement: `update books set pages = 'many'`, field: 'pages' },
    kill: async () => client.close(),
    close: async () => {
      client.close()
      rmSync(folder, { recursive: true })
    },
  }
})
