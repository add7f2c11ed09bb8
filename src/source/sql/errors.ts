import { HttpError, ValueError } from '../../error/errors.ts'
import { causesOf, reasonOf } from '../../observe/log.ts'
import { SourceError, type SourceErrorKind } from '../source.ts'

/** Why a database refused, independent of the driver. A `foreign-key` needs a query to find out its direction. */
export interface DriverRefusal {
  readonly kind: SourceErrorKind | 'foreign-key'
  /** The columns that caused it, by their names in the database. */
  readonly columns?: readonly string[]
  readonly index?: string
  readonly check?: string
}

/** Reads an error of a driver. `undefined`: it does not come from a database. */
export type ReadError = (error: object) => DriverRefusal | undefined

/** Reads the first error in the chain of causes that comes from the database or from the connection to it. */
export const readRefusal = (error: unknown, read: ReadError): DriverRefusal | undefined => {
  let wasSent = true
  for (const inner of causesOf(error)) {
    wasSent &&= !isOfConnecting(inner)
    const refusal = read(inner) ?? readConnectionError(inner)
    if (refusal !== undefined) return refusal.kind === 'lost' && !wasSent ? { kind: 'unavailable' } : refusal
  }
  return undefined
}

const states: ReadonlySet<string> = new Set<SourceErrorKind>(['contended', 'lost', 'unavailable'])

/** The state of the database that follows from an error. `undefined`: none. */
export const refusalOfState = (error: unknown, read: ReadError): SourceError | undefined => {
  const kind = readRefusal(error, read)?.kind
  if (kind === undefined || kind === 'foreign-key' || !states.has(kind)) return undefined
  return new SourceError(kind, { cause: withoutValues(error) })
}

/**
 * The same for an error of a hook, which may have any origin: reads only errors that came through the handle of the ORM or
 * have a code that only databases use. A broken socket may belong to another service.
 *
 * @param isOfOrm whether the ORM made the error. @default as drizzle marks its errors
 */
export const refusalOfHook = (
  error: unknown,
  read: ReadError,
  isOfOrm: (error: Error) => boolean = isOfQuery,
): SourceError | undefined => {
  // The hook chose its own response, whatever the cause.
  if (error instanceof HttpError || error instanceof ValueError) return undefined
  for (const inner of causesOf(error))
    if (inner instanceof NotConnected || isOfOrm(inner) || isOfDatabase(inner))
      return refusalOfState(inner, read)
  return undefined
}

export const isOfQuery = (error: Error): error is Error & { readonly query: unknown } =>
  'query' in error && 'params' in error

/** Codes of SQLite drivers, mysql2 and postgres.js that sockets of other services do not have. */
const driverCode =
  /^(SQLITE_\w+|ERR_SQLITE_ERROR|TRANSACTION_ACTIVE|PROTOCOL_(CONNECTION_LOST|SEQUENCE_TIMEOUT|UNEXPECTED_PACKET)|CONNECTION_(CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT)$/

export const isOfPostgres = (error: object): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) && textProperty(error, 'severity') !== undefined

/** Whether a database driver created this error, judged by its properties. TypeORM copies them to its own error. */
export const isOfDatabase = (error: Error): boolean =>
  'driverError' in error ||
  driverCode.test(codeOf(error)) ||
  isOfPostgres(error) ||
  (typeof Reflect.get(error, 'errno') === 'number' && textProperty(error, 'sqlState') !== undefined)

/** Codes of Node.js, postgres.js, libsql and mysql2, then messages of errors without a code; exact patterns come first. */
const connectionErrors: readonly (readonly [RegExp, SourceErrorKind])[] = [
  [/^connect ETIMEDOUT/, 'unavailable'],
  // The connection was open, and broke.
  [/^(CONNECTION_(CLOSED|DESTROYED)|ECONN(ABORTED|RESET)|E(HOST|NET)UNREACH|EPIPE|ETIMEDOUT)$/, 'lost'],
  [/^PROTOCOL_(CONNECTION_LOST|SEQUENCE_TIMEOUT|UNEXPECTED_PACKET)$/, 'lost'],
  // Connecting failed: nothing was sent.
  [/^(CLIENT_CLOSED|CONNECTION_ENDED|CONNECT_TIMEOUT|EAI_AGAIN|ECONNREFUSED|ENOTFOUND)$/, 'unavailable'],
  [/^(Pool is closed|Queue limit reached|No connections available)/, 'unavailable'],
  [
    /^(The database connection is not open|database is not open$|statement has been finalized$|PGlite is closed|PGlite is closing|Connection terminated due to connection timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after calling end)/,
    'unavailable',
  ],
  [
    /^(Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error)/,
    'lost',
  ],
  [/in closed state$/, 'lost'],
]

const readConnectionError = (error: Error): DriverRefusal | undefined => {
  const code = codeOf(error)
  const found = connectionErrors.find(([pattern]) => pattern.test(code) || pattern.test(error.message))
  return found && { kind: found[1] }
}

export const codeOf = (error: object): string => textProperty(error, 'code') ?? ''

export const textProperty = (error: object, property: string): string | undefined => {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' ? value : undefined
}

/** Errors of Drizzle and TypeORM have all values of the statement, including passwords. The log gets only the statement. */
export const withoutValues = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (isOfQuery(error)) return new Error(`Failed query: ${error.query}`, { cause: error.cause })
  if (!('driverError' in error && 'query' in error)) return error
  return new Error(`Failed query: ${error.query}`, { cause: hiding(error.driverError) })
}

/** The detail of PostgreSQL names the columns of a refusal, but also has their values, as the statement of mysql2 has. */
const hiding = (error: unknown): unknown => {
  if (error instanceof Error)
    for (const name of ['detail', 'sql'])
      if (Object.hasOwn(error, name)) Reflect.defineProperty(error, name, { enumerable: false })
  return error
}

/** Connecting failed, so no statement was sent. The message has the reason, which names hosts and never values. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(`Cannot connect to the database: ${reasonOf(cause)}`, { cause })
  }
}

const isOfConnecting = (error: Error): boolean =>
  error instanceof NotConnected ||
  textProperty(error, 'syscall') === 'connect' ||
  // Node.js tried several addresses of a host.
  (error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isOfConnecting(one)))
