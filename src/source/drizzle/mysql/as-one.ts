import { SourceError } from '../../source-error.ts'
import type { Database } from '../database.ts'
import { dialectOf } from '../dialects.ts'
import { refusalOfState } from '../errors.ts'

/** Several statements as one: what is read behind a write is what was written. */
export const asOne = async <T>(database: Database, work: (inside: Database) => Promise<T>): Promise<T> => {
  if (database.inTransaction || !database.hasTransactions) return await work(database)
  let isThrough = false
  try {
    return await database.transaction(async (inside) => {
      const result = await work(inside)
      isThrough = true
      return result
    })
  } catch (error) {
    // Only a commit can be done without a word of it.
    const state = isThrough ? undefined : refusalOfState(error, dialectOf(database).readError)
    throw state?.kind === 'lost' ? new SourceError('unavailable', { cause: state.cause }) : error
  }
}
