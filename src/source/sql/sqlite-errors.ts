import type { SourceErrorKind } from '../source.ts'
import { codeOf, type DriverRefusal, textProperty } from './errors.ts'

type Constraint = readonly [RegExp, (subject: string) => DriverRefusal]

/** `books.isbn, books.title` */
const columnsOf = (subject: string): readonly string[] =>
  subject.split(', ').map((name) => name.slice(name.indexOf('.') + 1))

const aboutColumns =
  (kind: SourceErrorKind) =>
  (subject: string): DriverRefusal => ({ kind, columns: columnsOf(subject) })

/** Read from the message of SQLite, because each driver wraps the code differently. */
const constraints: readonly Constraint[] = [
  [/UNIQUE constraint failed: index /, () => ({ kind: 'unique' })],
  [/UNIQUE constraint failed: (.+?)(?:: SQLITE_|$)/, aboutColumns('unique')],
  [/NOT NULL constraint failed: (.+?)(?:: SQLITE_|$)/, aboutColumns('not-null')],
  [/FOREIGN KEY constraint failed/, () => ({ kind: 'foreign-key' })],
  [/CHECK constraint failed: (.+?)(?:: SQLITE_|$)/, (check) => ({ kind: 'check', check })],
  // libsql: an integer of any column is too large for a JavaScript number.
  [/Received integer which cannot be safely represented/, () => ({ kind: 'unrepresentable' })],
  [/cannot store \w+ value in \w+ column (.+)/, aboutColumns('value')],
]

const kindsByCode: ReadonlyMap<string, SourceErrorKind> = new Map([
  // Another connection is writing. Nothing was saved, and only the driver has waited.
  ['SQLITE_BUSY', 'contended'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'check'],
  ['SQLITE_FULL', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
  ['SQLITE_LOCKED', 'contended'],
  ['SQLITE_MISMATCH', 'value'],
  ['SQLITE_READONLY', 'unavailable'],
  ['SQLITE_TOOBIG', 'value'],
  // libsql: all connections are in transactions.
  ['TRANSACTION_ACTIVE', 'contended'],
])

/** The same by the numbers of SQLite, which `node:sqlite` has instead. */
const kindsByNumber: ReadonlyMap<unknown, SourceErrorKind> = new Map([
  ...([5, 6] as const).map((number) => [number, 'contended'] as const),
  ...([8, 10, 13, 14] as const).map((number) => [number, 'unavailable'] as const),
  ...([18, 20] as const).map((number) => [number, 'value'] as const),
])

const CONSTRAINT_TRIGGER = 1811

export const readSqliteError = (error: object): DriverRefusal | undefined => {
  const message = textProperty(error, 'message') ?? ''
  const code = textProperty(error, 'extendedCode') ?? codeOf(error)
  // The message has precedence: an `on delete restrict` has the code of a trigger.
  for (const [pattern, refusal] of constraints) {
    const match = pattern.exec(message)
    if (match !== null) return refusal(match[1] ?? '')
  }
  const family = code.split('_').slice(0, 2).join('_')
  const kind = kindsByCode.get(code) ?? kindsByCode.get(family) ?? kindOfNumber(Reflect.get(error, 'errcode'))
  return kind && { kind }
}

/** The last byte of an extended code is that of its family. */
const kindOfNumber = (number: unknown): SourceErrorKind | undefined => {
  if (typeof number !== 'number') return undefined
  return number === CONSTRAINT_TRIGGER ? 'check' : kindsByNumber.get(number % 256)
}
