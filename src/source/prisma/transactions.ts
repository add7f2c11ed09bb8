import { lazily } from '../../model/objects.ts'
import type { Family } from '../sql/codecs.ts'
import type { PrismaHandle, RawClient } from './client.ts'

/** Runs work in a transaction of Prisma. */
export type OpenTransaction = <T>(work: (inside: PrismaHandle) => Promise<T>) => Promise<T>

export const prismaTransactions = (client: RawClient, family: Family): OpenTransaction => {
  const begin: OpenTransaction = (work) =>
    client.$transaction((tx) => work({ client: tx, isTransaction: true }), {
      ...{ maxWait: MAX_WAIT, timeout: MAX_TIMEOUT },
      // With the default of MySQL, a read after a lock would show the record as it was before.
      ...(family === 'mysql' && { isolationLevel: 'ReadCommitted' }),
    })
  return family === 'sqlite' ? committingItself(begin) : begin
}

/** Milliseconds until a transaction has a connection. */
const MAX_WAIT = 10_000

/** The longest time of a timer: modelrest limits transactions itself. */
const MAX_TIMEOUT = 2 ** 31 - 1

/**
 * On SQLite, Prisma leaves a transaction open if its commit fails, and its adapter for better-sqlite3 runs no other one then. So the
 * work commits itself, and Prisma commits an empty transaction. The adapter for libSQL does not allow this.
 */
const committingItself = (begin: OpenTransaction): OpenTransaction => {
  const commit = async (tx: RawClient): Promise<void> => {
    await tx.$executeRawUnsafe('commit')
    await tx.$executeRawUnsafe('begin')
  }
  const commitsItself = lazily(() =>
    begin(({ client }) => commit(client)).then(
      () => true,
      () => false,
    ),
  )
  return async (work) => {
    if (await commitsItself())
      return begin(async (inside) => {
        const result = await work(inside)
        await commit(inside.client)
        return result
      })
    return begin(work)
  }
}
