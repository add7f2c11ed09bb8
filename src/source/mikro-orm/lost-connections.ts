import { EventEmitter } from 'node:events'
import type { Connection, EntityManager } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'

interface Pooled extends Connection {
  getNativeClient(): Promise<object>
}

/** A connection of node-postgres, while a pool lends it. */
interface Lent extends EventEmitter {
  query(...given: readonly unknown[]): unknown
  release(isBroken: boolean): void
}

/**
 * Gives connections that have ended or cannot roll back to their pool. Kysely, on which MikroORM is built, keeps those of a transaction that
 * did not begin, or can neither be committed nor rolled back, because they broke or are busy with a statement that timed out. The
 * pool would run out of places.
 */
export const newLostConnections = (): ((manager: EntityManager) => Promise<void>) => {
  const watch = onceFor((pool: object): void => {
    if (pool instanceof EventEmitter) watchPool(pool)
  })
  return async (manager) => {
    try {
      const connection = manager.getConnection('write') as Pooled
      watch(await connection.getNativeClient())
    } catch {
      // The pool is unknown if the application gave MikroORM an instance of Kysely.
    }
  }
}

const watchPool = (pool: EventEmitter): void => {
  const lent = new Set<Lent>()
  const known = new WeakSet<Lent>()
  pool.on('acquire', (client: Lent) => {
    lent.add(client)
    if (known.has(client)) return
    known.add(client)
    // A statement outside of a transaction gives its connection back as soon as it has failed.
    client.once('end', () => setImmediate(giveBack, client))
    const query = client.query.bind(client)
    client.query = (...given) => {
      const result = query(...given)
      if (given[0] === 'rollback') void Promise.resolve(result).catch(() => setImmediate(giveBack, client))
      return result
    }
  })
  pool.on('release', (_error: unknown, client: Lent) => lent.delete(client))
  const giveBack = (client: Lent): void => {
    if (lent.delete(client)) client.release(true)
  }
}
