import { ownValue } from '../../model/objects.ts'
import type { Family } from '../sql/codecs.ts'
import { codeOf, type DriverRefusal, type ReadError, textProperty } from '../sql/errors.ts'
import { loggableWith } from '../sql/loggable.ts'
import { readers } from '../sql/readers.ts'

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
  const { index, fields } = bagOf(cause['constraint'])
  const named = Array.isArray(fields) ? fields : [cause['column']]
  return {
    ...{ kind, code: String(originalCode ?? cause['code'] ?? ''), text: String(originalMessage ?? '') },
    ...(typeof index === 'string' && { index }),
    columns: named.filter((name): name is string => typeof name === 'string'),
  }
}

/** As the driver has thrown it. */
const driverErrorOf = ({ code, text }: Reported): object => {
  // `null value in column "name" of relation "authors" violates …`, in any language.
  const [, column] = (code === PG_NOT_NULL && /"((?:[^"]|"")*)"/.exec(text)) || []
  return { code: ownValue(resultCodes, code) ?? code, errno: Number(code), message: text, column }
}

const PG_NOT_NULL = '23502'

/** Adapters report the name of a result code of SQLite, or its number. */
const resultCodes: Readonly<Record<string, string>> = {
  ...{ 5: 'SQLITE_BUSY', 6: 'SQLITE_LOCKED', 8: 'SQLITE_READONLY', 13: 'SQLITE_FULL', 14: 'SQLITE_CANTOPEN' },
}

type Kind = DriverRefusal['kind']

const named = (kind: Kind, names: string): Readonly<Record<string, Kind>> =>
  Object.fromEntries(names.split(', ').map((name) => [name, kind]))

/** Errors of adapters whose drivers gave no code, by their kinds, and those that the client makes itself, by their codes. */
const kinds: Readonly<Record<string, Kind>> = {
  ...named('unavailable', 'AuthenticationFailed, DatabaseAccessDenied, DatabaseDoesNotExist'),
  ...named('unavailable', 'DatabaseNotReachable, TlsConnectionError, TooManyConnections'),
  ...named('unavailable', 'P1001, P1002, P2024, P2037'),
  ...named('lost', 'ConnectionClosed, SocketTimeout, P1017'),
  ...named('contended', 'TransactionWriteConflict, P2034'),
  // With `relationMode = "prisma"`, the client looks for records that refer to a deleted one.
  ...named('foreign-key', 'P2014'),
  ...named('value', 'InvalidInputValue, LengthMismatch, ValueOutOfRange'),
  // A stored value that does not fit the type of its field.
  ...named('unrepresentable', 'P2023'),
}

const refusalOf = (kind: Kind | undefined): DriverRefusal | undefined => kind && { kind }

/** P2028 is also the code of a transaction that has ended. */
const NOT_STARTED = /Unable to start a transaction in the given time/

export const readErrorOf =
  (family: Family): ReadError =>
  (error) => {
    const reported = reportedIn(error)
    if (reported !== undefined) {
      const { kind, index, columns } = reported
      const refusal = readers[family](driverErrorOf(reported)) ?? refusalOf(ownValue(kinds, kind))
      return (
        refusal && {
          ...refusal,
          ...(columns.length > 0 && { columns }),
          ...(index !== undefined && { index }),
        }
      )
    }
    const name = nameOf(error)
    // The adapter for libSQL throws the error of a commit as it is.
    if (name === 'LibsqlError') return readers.sqlite(error)
    if (isOfReading(error)) return { kind: 'unrepresentable' }
    if (!isOfPrisma(error)) return undefined
    const code = codeOf(error)
    const isUnavailable =
      name === 'PrismaClientInitializationError' ||
      (code === 'P2028' && NOT_STARTED.test(textProperty(error, 'message') ?? ''))
    return refusalOf(isUnavailable ? 'unavailable' : ownValue(kinds, code))
  }

const nameOf = (error: object): string => textProperty(error, 'name') ?? ''

/** Judged by its properties: an application may have several copies of the client. */
const isOfPrisma = (error: object): boolean =>
  /^(PrismaClient|DriverAdapterError$)/.test(nameOf(error)) || isOfReading(error)

/** The client passes on errors of broken sockets as they are, but for its version. */
export const isPassedOn = (error: object): boolean => isOfPrisma(error) || 'clientVersion' in error

/** The client could not read a stored text as a decimal, JSON or an integer. The message has the text. */
const isOfReading = (error: object): boolean =>
  (textProperty(error, 'message') ?? '').startsWith('[DecimalError] ') || nameOf(error) === 'SyntaxError'

/** The client refused arguments before it sent anything. */
export const isInvalid = (error: unknown): boolean =>
  error instanceof Error && nameOf(error) === 'PrismaClientValidationError'

/** SQLite could not hold a sum. */
export const isOverflow = (error: unknown): boolean =>
  error instanceof Error && reportedIn(error)?.text === 'integer overflow'

/** The error for the log. Messages of Prisma, its `meta` and the errors of drivers in it contain values. */
export const loggable: (error: unknown) => unknown = loggableWith((error) => {
  if (!isOfPrisma(error)) return undefined
  const { kind, code, index } = reportedIn(error) ?? {}
  const model = bagOf(Reflect.get(error, 'meta'))['modelName']
  const facts = [codeOf(error), kind, code, index, typeof model === 'string' && `model ${model}`]
  return [nameOf(error), facts.filter(Boolean).join(', ')].filter(Boolean).join(': ')
})

/** The error of a statement without values, with the code of the driver. */
export const withCode = (error: unknown): unknown => {
  const reported = error instanceof Error ? reportedIn(error) : undefined
  if (reported === undefined) return loggable(error)
  return Object.assign(new Error(reported.text), { code: reported.code })
}
