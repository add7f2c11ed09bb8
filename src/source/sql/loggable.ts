import { ownValue } from '../../model/objects.ts'
import { codeOf, isOfDatabase, isOfStatement, textOf } from './errors.ts'

/** What a log gets of an error: drivers and drizzle say values of records, passwords among them. */
export const loggable = (error: unknown): unknown => withoutValuesInside(error, false, new Set())

const MAX_CAUSES = 20

/** Causes that go in a circle, or too deep, end there. Inside of a failed statement every error is the driver's. */
const withoutValuesInside = (error: unknown, isInside: boolean, above: Set<Error>): unknown => {
  if (!(error instanceof Error)) return isInside ? undefined : error
  if (above.has(error) || above.size === MAX_CAUSES) return undefined
  above.add(error)
  const isDriver = isInside || isOfDatabase(error)
  // PGlite's own look like drizzle's, but say more than the statement.
  const isStatement = !isDriver && isOfStatement(error)
  const isOfDriver = isDriver || isStatement
  const cause = withoutValuesInside(error.cause, isOfDriver, above)
  if (isStatement) return copied(error, `Failed query: ${Reflect.get(error, 'query')}`, cause)
  if (isOfDriver) return copied(error, logMessage(error), cause)
  // Others may know it by its identity or class: it stays the one it is.
  if (cause !== error.cause) Reflect.defineProperty(error, 'cause', { ...hidden, value: cause })
  return error
}

const hidden: PropertyDescriptor = { configurable: true, enumerable: false, writable: true }

/** What a database names its things by. postgres.js calls it `table_name`. */
const places = ['schema', 'table', 'column', 'constraint'] as const

/** All else may hold values, such as the `detail` of PostgreSQL and the `sql` of mysql2. */
const facts: readonly string[] = [
  ...['code', 'extendedCode', 'errno', 'sqlState', 'severity', 'syscall'],
  ...places.flatMap((place) => [place, `${place}_name`]),
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

const framesOf = ({ stack = '', message }: Error): string => {
  const at = message === '' ? -1 : stack.indexOf(message)
  return at === -1 ? '' : stack.slice(at + message.length)
}

/**
 * What a log may have of the message of a driver's error. Servers quote values in every language in another way, and some
 * without quotes: of what may be about a value, we say what SQL calls it, and no word of the server's.
 */
const logMessage = (error: Error): string => {
  const code = codeOf(error)
  const own = textOf(error, 'sqlState') ?? code
  const number: unknown = Reflect.get(error, 'errno')
  // Drivers over HTTP write it into the message, and the statement with its values too.
  const told =
    own.length === STATE_LENGTH ? null : /(?:\(errno (\d+)\) )?\(sqlstate (\w{5})\)/.exec(error.message)
  const state = told?.[2] ?? own
  const errno = typeof number === 'number' ? String(number) : (told?.[1] ?? '')
  const condition = conditionOf(state, errno) ?? (told === null ? undefined : classes['HY'])
  if (condition === undefined) return error.message
  const codes = [state, [errno, code === state ? '' : code].filter(Boolean).join(' ')].filter(Boolean)
  const about = places.flatMap((place) => {
    const name = place === 'schema' ? undefined : (textOf(error, place) ?? textOf(error, `${place}_name`))
    return name === undefined ? [] : [`${place} ${name}`]
  })
  return `${condition} (SQLSTATE ${codes.join(', ')})${about.length === 0 ? '' : `: ${about.join(', ')}`}`
}

const STATE_LENGTH = 5

/** It quotes the statement, into which drivers of MySQL write values. */
const ER_PARSE_ERROR = '1064'

/** The condition of a state that may be about a value. `undefined`: its messages only name things. */
const conditionOf = (state: string, errno: string): string | undefined => {
  if (errno === ER_PARSE_ERROR) return 'syntax_error'
  if (state.length !== STATE_LENGTH) return undefined
  return ownValue(conditions, state) ?? ownValue(classes, state.slice(0, 2))
}

/** Data exceptions, broken rules, and all that MySQL has no state for. */
const classes: Readonly<Record<string, string>> = {
  22: 'data_exception',
  23: 'integrity_constraint_violation',
  HY: 'general_error',
}

/** Those that are met most, as the documentation of PostgreSQL names them. */
const conditions: Readonly<Record<string, string>> = {
  '22001': 'string_data_right_truncation',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22012': 'division_by_zero',
  '22021': 'character_not_in_repertoire',
  '22P02': 'invalid_text_representation',
  '22P05': 'untranslatable_character',
  '23001': 'restrict_violation',
  '23502': 'not_null_violation',
  '23503': 'foreign_key_violation',
  '23505': 'unique_violation',
  '23514': 'check_violation',
  '23P01': 'exclusion_violation',
}
