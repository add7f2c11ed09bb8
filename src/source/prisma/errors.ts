import { ownValue } from '../../model/objects.ts'
import type { SourceErrorKind } from '../source.ts'
import { codeOf, type DriverRefusal, type ReadError, textOf } from '../sql/errors.ts'
import { loggableWith } from '../sql/loggable.ts'
import { readMysqlError } from '../sql/mysql-errors.ts'
import { readPgError } from '../sql/pg-errors.ts'
import { readSqliteError } from '../sql/sqlite-errors.ts'
import type { Provider } from './fields.ts'

/** What an adapter says of the error of its driver. The text may contain values. */
interface Reported {
  readonly kind: string
  readonly code: string
  readonly text: string
  readonly index?: string
  readonly columns: readonly string[]
}

type Bag = Readonly<Record<string, unknown>>

const bagOf = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {})

/** Of an error of the client, or of its adapter, which a failed commit throws as it is. */
const reportedIn = (error: object): Reported | undefined => {
  const own = bagOf(bagOf(Reflect.get(error, 'meta'))['driverAdapterError'])
  const cause = bagOf(own['cause'] ?? Reflect.get(error, 'cause'))
  const { kind, originalCode, originalMessage } = cause
  if (typeof kind !== 'string') return undefined
  const constraint = bagOf(cause['constraint'])
  const { index, fields } = constraint
  const named = Array.isArray(fields) ? fields : [cause['column']]
  return {
    ...{ kind, code: String(originalCode ?? cause['code'] ?? ''), text: String(originalMessage ?? '') },
    ...(typeof index === 'string' && { index }),
    columns: named.filter((name): name is string => typeof name === 'string'),
  }
}

const native: Readonly<Record<Provider, (reported: Reported) => DriverRefusal | undefined>> = {
  postgresql: ({ code, text }) => {
    const refusal = readPgError({ code })
    // `null value in column "name" of relation "authors" violates …`, in any language.
    const [, first] = /"((?:[^"]|"")*)"/.exec(text) ?? []
    return refusal?.kind === 'not-null' && first !== undefined ? { ...refusal, columns: [first] } : refusal
  },
  mysql: ({ code, text }) => readMysqlError({ errno: Number(code), sqlMessage: text }),
  // Adapters report the name of a result code, or its number.
  sqlite: ({ code, text }) => readSqliteError({ code: ownValue(resultCodes, code) ?? code, message: text }),
}

const resultCodes: Readonly<Record<string, string>> = {
  ...{ 5: 'SQLITE_BUSY', 6: 'SQLITE_LOCKED', 8: 'SQLITE_READONLY', 13: 'SQLITE_FULL', 14: 'SQLITE_CANTOPEN' },
}

/** Kinds of errors of adapters, if the driver gave no code. */
const byKind: Readonly<Record<string, SourceErrorKind>> = {
  AuthenticationFailed: 'unavailable',
  ConnectionClosed: 'lost',
  DatabaseAccessDenied: 'unavailable',
  DatabaseDoesNotExist: 'unavailable',
  DatabaseNotReachable: 'unavailable',
  InvalidInputValue: 'value',
  LengthMismatch: 'value',
  SocketTimeout: 'lost',
  TlsConnectionError: 'unavailable',
  TooManyConnections: 'unavailable',
  TransactionWriteConflict: 'contended',
  ValueOutOfRange: 'value',
}

/** Codes of errors that the client makes itself. */
const byCode: Readonly<Record<string, SourceErrorKind>> = {
  P1001: 'unavailable',
  P1002: 'unavailable',
  P1017: 'lost',
  // A stored value that does not fit the type of its field.
  P2023: 'unrepresentable',
  P2024: 'unavailable',
  P2034: 'contended',
  P2037: 'unavailable',
}

/** P2028 is also the code of a transaction that has ended. */
const NOT_STARTED = /Unable to start a transaction in the given time/

export const readErrorOf =
  (provider: Provider): ReadError =>
  (error) => {
    const reported = reportedIn(error)
    if (reported !== undefined) {
      const { index, columns } = reported
      const kind = ownValue(byKind, reported.kind)
      const refusal = ownValue(native, provider)?.(reported) ?? (kind && { kind })
      return (
        refusal && {
          ...refusal,
          ...(columns.length > 0 && { columns }),
          ...(index !== undefined && { index }),
        }
      )
    }
    // The adapter for libSQL throws the error of a commit as it is.
    if (nameOf(error) === 'LibsqlError') return readSqliteError(error)
    if (isOfReading(error)) return { kind: 'unrepresentable' }
    if (!isOfPrisma(error)) return undefined
    const code = codeOf(error)
    const isUnavailable =
      nameOf(error) === 'PrismaClientInitializationError' ||
      (code === 'P2028' && NOT_STARTED.test(textOf(error, 'message') ?? ''))
    const kind = isUnavailable ? 'unavailable' : ownValue(byCode, code)
    return kind && { kind }
  }

const nameOf = (error: object): string => textOf(error, 'name') ?? ''

/** Judged by its properties: an application may have several copies of the client. */
export const isOfPrisma = (error: object): boolean =>
  nameOf(error).startsWith('PrismaClient') || nameOf(error) === 'DriverAdapterError' || isOfReading(error)

/** The client passes on errors of broken sockets as they are, but for its version. */
export const isPassedOn = (error: object): boolean => isOfPrisma(error) || 'clientVersion' in error

/** The client could not read a stored text as a decimal, JSON or an integer. The message has the text. */
const isOfReading = (error: object): boolean =>
  (textOf(error, 'message') ?? '').startsWith('[DecimalError] ') || nameOf(error) === 'SyntaxError'

/** The client refused arguments before it sent anything. */
export const isInvalid = (error: unknown): boolean =>
  error instanceof Error && nameOf(error) === 'PrismaClientValidationError'

/** SQLite could not hold a sum. */
export const isOverflow = (error: unknown): boolean =>
  error instanceof Error && reportedIn(error)?.text === 'integer overflow'

/** The error for the log. Messages of Prisma, its `meta` and the errors of drivers in it contain values. */
export const loggable: (error: unknown) => unknown = loggableWith((error) => {
  if (!isOfPrisma(error)) return undefined
  const reported = reportedIn(error)
  const model = bagOf(Reflect.get(error, 'meta'))['modelName']
  const facts = [
    codeOf(error),
    ...(reported === undefined ? [] : [reported.kind, reported.code, reported.index ?? '']),
    typeof model === 'string' ? `model ${model}` : '',
  ].filter((fact) => fact !== '')
  return facts.length === 0 ? nameOf(error) : `${nameOf(error)}: ${facts.join(', ')}`
})

/** The error of a statement without values, with the code of the driver. */
export const withCode = (error: unknown): unknown => {
  const reported = error instanceof Error ? reportedIn(error) : undefined
  if (reported === undefined) return loggable(error)
  return Object.assign(new Error(reported.text), { code: reported.code })
}
