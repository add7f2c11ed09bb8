import { EventEmitter } from 'node:events'
import type { Connection, EntityManager } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import type { ConnectionLine } from '../sql/connection-line.ts'
import { prepareClient } from '../sql/mysql-connections.ts'

interface Pooled extends Connection {
  getNativeClient(): Promise<object>
}

/** A connection of node-postgres. A pool lends it, and throws if it is given back twice. */
interface Lent extends EventEmitter {
  query(...given: readonly unknown[]): unknown
  release(isBroken: boolean): void
}

/** Prepares the pool of a manager for what follows. `undefined`: a database that needs nothing. @param line where statements wait for connections */
export const watchesConnections = (
  family: Family,
  line: ConnectionLine,
): ((manager: EntityManager) => Promise<void>) | undefined => {
  if (family === 'sqlite') return undefined
  const prepare = isMysql(family) ? prepareClient : newLostConnections()
  const measure = measuredIn(line)
  const watch = (pool: object): void => {
    prepare(pool)
    measure(pool)
  }
  return async (manager) => {
    try {
      const connection = manager.getConnection('write') as Pooled
      watch(await connection.getNativeClient())
    } catch {
      // The pool is unknown if the application gave MikroORM an instance of Kysely.
    }
  }
}

type Lend = (lent?: (error: unknown, ...connection: readonly unknown[]) => void) => unknown

/** Pools lend connections as promises or to functions. */
const measuredIn = onceFor(({ enter, wait }: ConnectionLine) =>
  onceFor((pool: object): void => {
    const method = 'getConnection' in pool ? 'getConnection' : 'connect'
    const lend: Lend = Reflect.get(pool, method).bind(pool)
    const measured: Lend = (lent) => {
      if (lent === undefined) return wait(async () => await lend())
      const leave = enter()
      return lend((error, ...connection) => {
        leave(!error)
        lent(error, ...connection)
      })
    }
    Object.assign(pool, { [method]: measured })
  }),
)

/**
 * Gives connections that have ended or cannot roll back to their pool. Kysely, on which MikroORM is built, keeps those of a transaction that
 * did not begin, or can neither be committed nor rolled back, because they broke or are busy with a statement that timed out. The
 * pool would run out of places. Kysely 0.29.7 gives them back, but MikroORM 7.2 needs exactly 0.29.6.
 */
const newLostConnections = (): ((pool: object) => void) =>
  onceFor((pool: object): void => {
    if (pool instanceof EventEmitter) pool.on('acquire', onceFor(watchClient))
  })

const watchClient = (client: Lent): void => {
  const giveBack = (): void => {
    try {
      client.release(true)
    } catch {
      // It was given back.
    }
  }
  // A statement outside of a transaction gives its connection back as soon as it has failed.
  client.once('end', () => setImmediate(giveBack))
  const query = client.query.bind(client)
  client.query = (...given) => {
    const result = query(...given)
    if (given[0] === 'rollback') void Promise.resolve(result).catch(() => setImmediate(giveBack))
    return result
  }
}
