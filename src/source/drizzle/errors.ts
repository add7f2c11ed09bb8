import type { SourceErrorKind } from '../source-error.ts'

/** What a database refused, in the words of no driver. Which way a foreign key was broken has to be looked up. */
export interface DriverRefusal {
  readonly kind: SourceErrorKind | 'foreign-key'
  /** Columns of the table that the refusal is about, by their names in the database. */
  readonly columns?: readonly string[]
  /** The name of the check constraint. */
  readonly check?: string
}

type ReadError = (error: object) => DriverRefusal | undefined

/** Drivers and drizzle wrap each other's errors. */
const MAX_CAUSES = 5

/** The first error of the chain of causes that is a refusal of the database or of the way to it. */
export const readRefusal = (error: unknown, read: ReadError): DriverRefusal | undefined => {
  let inner = error
  for (let depth = 0; depth < MAX_CAUSES && inner instanceof Error; depth += 1) {
    const refusal = read(inner) ?? readConnectionError(inner)
    if (refusal !== undefined) return refusal
    inner = inner.cause
  }
  return undefined
}

/** Codes of Node.js, postgres.js and libsql: the connection was there, and broke. */
const lost: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
])

/** There was no connection: nothing was sent. */
const unreached: ReadonlySet<string> = new Set([
  'CLIENT_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENOTFOUND',
])

/** What better-sqlite3, PGlite and node-postgres say without a code. The exact ones first. */
const byMessage: readonly (readonly [RegExp, SourceErrorKind])[] = [
  [
    /^(The database connection is not open|PGlite is closed|PGlite is closing|Connection terminated due to connection timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after calling end)/,
    'unavailable',
  ],
  [
    /^(Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error)/,
    'lost',
  ],
]

const readConnectionError = (error: Error): DriverRefusal | undefined => {
  const code = codeOf(error)
  if (lost.has(code)) return { kind: 'lost' }
  if (unreached.has(code)) return { kind: 'unavailable' }
  const kind = byMessage.find(([pattern]) => pattern.test(error.message))?.[1]
  return kind && { kind }
}

/** `''` where the error has none. */
export const codeOf = (error: object): string => textOf(error, 'code') ?? ''

export const textOf = (error: object, property: string): string | undefined => {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' ? value : undefined
}

/** Drizzle's own error says all values of the statement, passwords among them. The log gets the statement alone. */
export const withoutValues = (error: unknown): unknown =>
  error instanceof Error && 'query' in error && 'params' in error
    ? new Error(`Failed query: ${error.query}`, { cause: error.cause })
    : error
