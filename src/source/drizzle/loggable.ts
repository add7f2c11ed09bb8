import { isOfDatabase, isOfStatement } from './errors.ts'
import { logMessage } from './log-message.ts'

/** What a log gets of an error: drivers and drizzle say values of records, passwords among them. */
export const loggable = (error: unknown): unknown => told(error, false, new Set())

const MAX_CAUSES = 20

/**
 * Causes that go in a circle, or too deep, end there: who reads them may not look for that.
 *
 * @param isInside whether a statement failed by it: then it is the driver's, whatever it looks like
 * @param above the errors that it is a cause of
 */
const told = (error: unknown, isInside: boolean, above: Set<Error>): unknown => {
  if (!(error instanceof Error)) return isInside ? undefined : error
  if (above.has(error) || above.size === MAX_CAUSES) return undefined
  above.add(error)
  const isDriver = isInside || isOfDatabase(error)
  // PGlite's own look like drizzle's, but say more than the statement.
  const isStatement = !isDriver && isOfStatement(error)
  const isOfDriver = isDriver || isStatement
  const cause = told(error.cause, isOfDriver, above)
  if (isStatement) return copied(error, `Failed query: ${Reflect.get(error, 'query')}`, cause)
  if (isOfDriver) return copied(error, logMessage(error), cause)
  // Others may know it by its identity or class: it stays the one it is.
  if (cause !== error.cause) Reflect.defineProperty(error, 'cause', { ...hidden, value: cause })
  return error
}

const hidden: PropertyDescriptor = { configurable: true, enumerable: false, writable: true }

/** Names that a database gives to things, and its codes. All else may hold values, such as the `detail` of PostgreSQL and the `sql` of mysql2. */
const facts: readonly string[] = [
  ...['code', 'extendedCode', 'errno', 'sqlState', 'severity', 'syscall'],
  ...[
    'schema',
    'table',
    'column',
    'constraint',
    'schema_name',
    'table_name',
    'column_name',
    'constraint_name',
  ],
]

const copied = (error: Error, message: string, cause: unknown): Error => {
  const copy = new Error(message, cause === undefined ? {} : { cause })
  for (const name of facts) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string' || typeof value === 'number')
      Object.defineProperty(copy, name, { ...hidden, enumerable: true, value })
  }
  Object.defineProperty(copy, 'stack', { ...hidden, value: `${error.name}: ${message}${framesOf(error)}` })
  return copy
}

/** The stack behind the message, where that can be told apart. */
const framesOf = ({ stack = '', message }: Error): string => {
  const at = message === '' ? -1 : stack.indexOf(message)
  return at === -1 ? '' : stack.slice(at + message.length)
}
