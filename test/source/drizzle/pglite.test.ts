import { drizzle } from 'drizzle-orm/pglite'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { pinnedStatements } from '../../contract/drizzle-source/pinned.ts'
import { type Connect, drizzleContract } from '../../contract/drizzle-source.ts'
import { createPg, pgLibrary } from '../../contract/library.ts'
import { startPglite } from '../../stage/pglite.ts'

const pinned = pinnedStatements('pg')

const connect: Connect = async () => {
  const database = await startPglite()
  for (const statement of createPg) await database.exec(statement)
  const db = drizzle(database, { logger: pinned.logger })
  const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
  const prepare = vi.spyOn(session, 'prepareQuery')
  return {
    source: drizzleModels(db, pgLibrary),
    tables: pgLibrary,
    execute: (statements) => database.exec(statements),
    prepared: () => prepare.mock.calls.length,
    spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
    kill: () => database.close(),
    close: async () => {
      if (!database.closed) await database.close()
    },
  }
}

drizzleContract('drizzle on PGlite', connect, 'complete')
pinned.compare()
