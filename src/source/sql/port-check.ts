import { StartError } from '../../error/errors.ts'
import { isPromise } from '../../model/objects.ts'
import { badRows, type SqlDatabase } from './port.ts'
import { assertShape, optional, rules, type Shape } from './shape.ts'
import { spellings } from './text.ts'

const { act, flag, handle } = rules

const aDatabase: Shape<SqlDatabase> = {
  dialect: {
    must: 'sqlite, pg or mysql (also for MariaDB)',
    holds: (value) => Object.hasOwn(spellings, String(value)),
  },
  ...{ handle, run: act, prepare: optional(act), transaction: optional(act) },
  ...{ synchronous: optional(flag), singleConnection: optional(flag) },
}

/** @throws StartError for a mistake in the form of the database that an application passes */
export const assertDatabase = (adapter: string, database: unknown): void =>
  assertShape(`${adapter}: the database`, database, aDatabase)

/**
 * Checks the members that the other statements of the start do not use.
 *
 * @throws StartError if they return a promise although the database is synchronous, or another thing than they must
 */
export const assertActs = async (adapter: string, database: SqlDatabase): Promise<void> => {
  const place = `${adapter}: the database`
  const assertNow = async (name: string, found: unknown): Promise<void> => {
    if (database.synchronous !== true || !isPromise(found)) return
    await Promise.allSettled([found])
    throw new StartError(
      `${place}: ${name}() returns a promise, so the database is not synchronous. Leave out synchronous.`,
    )
  }
  if (database.prepare !== undefined) {
    const prepared: unknown = database.prepare('select 1', 'all')
    await assertNow('prepare', prepared)
    if (typeof prepared !== 'function')
      throw new StartError(`${place}: prepare() must return a function of the values, not a promise of it.`)
    const rows: unknown = prepared([])
    await assertNow('the function of prepare', rows)
    if (!Array.isArray(await rows)) throw badRows(adapter, 'prepare')
  }
  if (database.synchronous === true) await assertNow('transaction', emptyTransaction(database))
}

/** A database that is locked or cannot be written says so itself, and may still be read. */
const emptyTransaction = ({ transaction }: SqlDatabase): unknown => {
  try {
    return transaction?.(() => undefined)
  } catch {
    return undefined
  }
}
