import { TypeORMError } from 'typeorm'
import type { Family } from '../sql/codecs.ts'
import { type DriverRefusal, type ReadError, readRefusal } from '../sql/errors.ts'
import { loggableWith } from '../sql/loggable.ts'
import { readers } from '../sql/readers.ts'

/** TypeORM's own errors for a data source that was closed have no code. */
const closed =
  /^(Driver not Connected|Connection is not established|Cannot execute operation on ".*" connection because connection is not yet established)/

/** TypeORM releases a connection that broke, and runs no more statements of its transaction. */
const released = /^QueryRunner(Provider)?AlreadyReleasedError$/

/** Whether TypeORM made an error of a failed statement. */
export const isOfStatement = (error: Error): error is Error & { readonly driverError: unknown } =>
  'driverError' in error

/** Reads the errors of the driver, which TypeORM wraps. */
export const readErrorOf =
  (family: Family): ReadError =>
  (error): DriverRefusal | undefined => {
    if (error instanceof Error && closed.test(error.message)) return { kind: 'unavailable' }
    if (error instanceof Error && released.test(error.name)) return { kind: 'lost' }
    const isWrapped = error instanceof Error && isOfStatement(error)
    return isWrapped ? readRefusal(error.driverError, readers[family]) : readers[family](error)
  }

/** Errors whose messages contain values. */
const valued: ReadonlySet<string> = new Set([
  ...['CannotCreateEntityIdMapError', 'EntityNotFoundError', 'MustBeEntityError'],
])

/** The error for a log: without the values that drivers and TypeORM put into their errors. */
export const loggable: (error: unknown) => unknown = loggableWith((error) => {
  if (!(error instanceof TypeORMError) || isOfStatement(error)) return undefined
  return valued.has(error.name) ? error.name : error.message
})
