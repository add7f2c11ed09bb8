import pLimit, { type LimitFunction } from 'p-limit'
import { onceFor } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import type { Awaitable } from '../source.ts'
import { codeOf } from '../sql/errors.ts'
import type { Database } from './database.ts'
import { entityNames } from './driver.ts'

/** What is asked of libsql's client. */
interface Client {
  /** Closes all of its connections, and opens others. */
  reconnect?(): PromiseLike<unknown>
}

/** Those who write over the same client take turns, whichever models they serve. */
const turnsOf = onceFor((_client: Client): LimitFunction => pLimit(1))

/**
 * SQLite lets one connection write. libsql's driver for files has many, and refuses whoever comes second: it cannot wait
 * without stopping this thread, and with it the one who is to be waited for. So its writers take turns here.
 *
 * A statement that it refused so is never reset, and nothing is committed any more over that connection: the next write
 * would seem to succeed, and be seen by nobody else. So each write commits by itself, which such a connection refuses, and
 * connections are closed once one was refused.
 *
 * Any other database stays as it is.
 */
export const oneWriter = (database: Database): Database => {
  const client = fileClientOf(database)
  if (client === undefined) return database
  const turns = turnsOf(client)
  const inTurn = <T>(act: () => Awaitable<T>): Promise<T> =>
    turns(async () => {
      try {
        return await act()
      } catch (error) {
        if (isBusy(error)) await client.reconnect?.()
        throw error
      }
    })
  return Object.freeze<Database>({
    ...database,
    prepare: (query, purpose) => {
      const run = database.prepare(query, purpose)
      if (purpose.changes === undefined) return run
      return (values, inside) =>
        inside === undefined
          ? inTurn(() => database.transaction((own) => run(values, own)))
          : run(values, inside)
    },
    transaction: (work) => inTurn(() => database.transaction(work)),
  })
}

/** The client of libsql, where it has a file. */
const fileClientOf = ({ handle }: Database): Client | undefined => {
  const session: unknown = Reflect.get(handle, 'session')
  if (typeof session !== 'object' || session === null) return undefined
  if (!entityNames(session).includes('LibSQLSession')) return undefined
  const client: unknown = Reflect.get(session, 'client')
  const isFile = typeof client === 'object' && client !== null && Reflect.get(client, 'protocol') === 'file'
  return isFile ? client : undefined
}

const isBusy = (error: unknown): boolean => {
  for (const inner of causesOf(error)) if (codeOf(inner).startsWith('SQLITE_BUSY')) return true
  return false
}
