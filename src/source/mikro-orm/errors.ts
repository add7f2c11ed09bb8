import { DriverException, OptimisticLockError, ValidationError } from '@mikro-orm/core'
import type { Family } from '../sql/codecs.ts'
import type { DriverRefusal, ReadError } from '../sql/errors.ts'
import { loggableWith } from '../sql/loggable.ts'
import { readers } from '../sql/readers.ts'

/** Errors of a connection that was closed have no code. */
const closed = /driver has already been destroyed|The database connection is not open/

/** Whether MikroORM made an error of a failed statement. It has the properties of the driver's error. */
export const isOfStatement = (error: Error): boolean => error instanceof DriverException

/** Whether MikroORM made an error that says something of the database. */
export const isOwnError = (error: Error): boolean =>
  isOfStatement(error) || error instanceof OptimisticLockError

/** Reads the errors of the driver. */
export const readErrorOf =
  (family: Family): ReadError =>
  (error): DriverRefusal | undefined => {
    if (error instanceof OptimisticLockError) return { kind: 'contended' }
    if (error instanceof Error && closed.test(error.message)) return { kind: 'unavailable' }
    // Node.js tried several addresses of a host.
    if (isOfStatement(error as Error) && Array.isArray(Reflect.get(error, 'errors')))
      return { kind: 'unavailable' }
    return readers[family](error)
  }

/** Errors whose messages contain values. */
const valued = /not found|Trying to|Invalid|payload|cannot|failed/i

/** The error for a log: without the values that drivers and MikroORM put into their errors. */
export const loggable: (error: unknown) => unknown = loggableWith((error) => {
  if (!(error instanceof ValidationError)) return undefined
  // The entity is printed on the lines below.
  const [line = ''] = error.message.split('\n')
  return valued.test(line) ? error.name : line
})
