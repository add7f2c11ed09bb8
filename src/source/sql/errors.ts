import { HttpError, ValueError } from '../../error/errors.ts'
import { causesOf } from '../../observe/log.ts'
import { SourceError, type SourceErrorKind } from '../source.ts'

/** What a database refused, in the words of no driver. Which way a foreign key was broken has to be looked up. */
export interface DriverRefusal {
  readonly kind: SourceErrorKind | 'foreign-key'
  /** Columns of the table that the refusal is about, by their names in the database. */
  readonly columns?: readonly string[]
  readonly index?: string
  readonly check?: string
}

type ReadError = (error: object) => DriverRefusal | undefined

/** The first error of the chain of causes that is a refusal of the database or of the way to it. */
export const readRefusal = (error: unknown, read: ReadError): DriverRefusal | undefined => {
  let isAsked = true
  for (const inner of causesOf(error)) {
    isAsked &&= !isOfConnecting(inner)
    const refusal = read(inner) ?? readConnectionError(inner)
    if (refusal !== undefined) return refusal.kind === 'lost' && !isAsked ? { kind: 'unavailable' } : refusal
  }
  return undefined
}

const states: ReadonlySet<string> = new Set<SourceErrorKind>(['contended', 'lost', 'unavailable'])

/** What an error says of the state of the database. `undefined`: nothing. */
export const refusalOfState = (error: unknown, read: ReadError): SourceError | undefined => {
  const kind = readRefusal(error, read)?.kind
  if (kind === undefined || kind === 'foreign-key' || !states.has(kind)) return undefined
  return new SourceError(kind, { cause: withoutValues(error) })
}

/**
 * The same of what a hook threw, which may have gone wrong anywhere: just what came through drizzle's handle is read, or has
 * a code that only databases have. A broken socket may be that of any other service.
 */
export const refusalOfHook = (error: unknown, read: ReadError): SourceError | undefined => {
  // Those answer as they say, whatever has caused them.
  if (error instanceof HttpError || error instanceof ValueError) return undefined
  for (const inner of causesOf(error))
    if (inner instanceof NotConnected || isOfStatement(inner) || isOfDatabase(inner))
      return refusalOfState(inner, read)
  return undefined
}

export const isOfStatement = (error: Error): error is Error & { readonly query: unknown } =>
  'query' in error && 'params' in error

/** Codes of SQLite's drivers, of mysql2 and of postgres.js, which no socket of another service has. */
const driverCode =
  /^(SQLITE_\w+|TRANSACTION_ACTIVE|PROTOCOL_(CONNECTION_LOST|SEQUENCE_TIMEOUT|UNEXPECTED_PACKET)|CONNECTION_(CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT)$/

export const isOfPostgres = (error: object): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) && textOf(error, 'severity') !== undefined

/** Whether a driver of a database made this error, by what it says of itself. */
export const isOfDatabase = (error: Error): boolean =>
  driverCode.test(codeOf(error)) ||
  isOfPostgres(error) ||
  (typeof Reflect.get(error, 'errno') === 'number' && textOf(error, 'sqlState') !== undefined)

/** Codes of Node.js, postgres.js, libsql and mysql2, then what drivers say without a code, the exact ones first. */
const connectionErrors: readonly (readonly [RegExp, SourceErrorKind])[] = [
  [/^connect ETIMEDOUT/, 'unavailable'],
  // The connection was there, and broke.
  [/^(CONNECTION_(CLOSED|DESTROYED)|ECONN(ABORTED|RESET)|E(HOST|NET)UNREACH|EPIPE|ETIMEDOUT)$/, 'lost'],
  [/^PROTOCOL_(CONNECTION_LOST|SEQUENCE_TIMEOUT|UNEXPECTED_PACKET)$/, 'lost'],
  // There was no connection: nothing was sent.
  [/^(CLIENT_CLOSED|CONNECTION_ENDED|CONNECT_TIMEOUT|EAI_AGAIN|ECONNREFUSED|ENOTFOUND)$/, 'unavailable'],
  [/^(Pool is closed|Queue limit reached|No connections available)/, 'unavailable'],
  [
    /^(The database connection is not open|PGlite is closed|PGlite is closing|Connection terminated due to connection timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after calling end)/,
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

export const codeOf = (error: object): string => textOf(error, 'code') ?? ''

export const textOf = (error: object, property: string): string | undefined => {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' ? value : undefined
}

/** Drizzle's own error says all values of the statement, passwords among them. The log only gets the statement. */
export const withoutValues = (error: unknown): unknown =>
  error instanceof Error && isOfStatement(error)
    ? new Error(`Failed query: ${error.query}`, { cause: error.cause })
    : error

/** There was no connection, so that nothing was asked. Its cause says why. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super('There is no connection to the database.', { cause })
  }
}

const isOfConnecting = (error: Error): boolean =>
  error instanceof NotConnected ||
  textOf(error, 'syscall') === 'connect' ||
  // Of all addresses of a host.
  (error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isOfConnecting(one)))
