import { drizzle } from 'drizzle-orm/pglite'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { pinnedStatements } from '../../contract/drizzle-source/pinned.ts'
import { preparedBy } from '../../contract/drizzle-source/stage.ts'
import { type Connect, drizzleContract } from '../../contract/drizzle-source.ts'
import { createPg, pgLibrary } from '../../contract/library.ts'
import { startPglite } from '../../stage/pglite.ts'

const pinned = pinnedStatements('pg')

const connect: Connect = async () => {
  const database = await startPglite()
  for (const statement of createPg) await database.exec(statement)
  const db = drizzle(database, { logger: pinned.logger })
  return {
    source: drizzleModels(db, pgLibrary),
    tables: pgLibrary,
    execute: (statements) => database.exec(statements),
    prepared: preparedBy(db),
    spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
    kill: () => database.close(),
    close: async () => {
      if (!database.closed) await database.close()
    },
  }
}

drizzleContract('drizzle on PGlite', connect, 'complete')
pinned.compare()
