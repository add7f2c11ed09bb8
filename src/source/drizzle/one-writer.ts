import pLimit, { type LimitFunction } from 'p-limit'
import { onceFor } from '../../model/once-for.ts'
import type { Database } from './database.ts'
import { entityNames } from './entity.ts'

/** Those who write over the same client take turns, whichever models they serve. */
const turnsOf = onceFor((_client: object): LimitFunction => pLimit(1))

/**
 * SQLite lets one connection write. libsql's driver for files has many, and refuses whoever comes second: it cannot wait
 * without stopping this thread, and with it the one who is to be waited for. So its writers take turns here. Any other
 * database stays as it is.
 */
export const oneWriter = (database: Database): Database => {
  const turns = turnsFor(database)
  if (turns === undefined) return database
  return Object.freeze<Database>({
    ...database,
    prepare: (query, purpose) => {
      const run = database.prepare(query, purpose)
      if (purpose.changes === undefined) return run
      return (values, inside) => (inside === undefined ? turns(() => run(values)) : run(values, inside))
    },
    transaction: (work) => turns(() => database.transaction(work)),
  })
}

const turnsFor = ({ handle }: Database): LimitFunction | undefined => {
  const session: unknown = Reflect.get(handle, 'session')
  if (typeof session !== 'object' || session === null) return undefined
  if (!entityNames(session).includes('LibSQLSession')) return undefined
  const client: unknown = Reflect.get(session, 'client')
  if (typeof client !== 'object' || client === null) return undefined
  return Reflect.get(client, 'protocol') === 'file' ? turnsOf(client) : undefined
}
