import { ownValue } from '../../model/objects.ts'
import { messageOf } from '../../observe/log.ts'
import { codeOf, isOfDatabase, isOfQuery, textProperty } from './errors.ts'

/** The error for a log: without the values of records, such as passwords, that drivers and drizzle put into errors. */
export const loggable = (error: unknown): unknown => withoutValuesInside(error, noText, false, new Set())

/**
 * The same for errors of an ORM, which have values in their messages and properties.
 *
 * @param textOf what the log may say of an error that the ORM made. `undefined`: another error
 */
export const loggableWith =
  (textOf: OwnText) =>
  (error: unknown): unknown =>
    withoutValuesInside(error, textOf, false, new Set())

type OwnText = (error: Error) => string | undefined

const noText: OwnText = () => undefined

const MAX_CAUSES = 20

/** Stops if the causes are circular or too deep. All causes of a failed statement are errors of the driver. */
const withoutValuesInside = (
  error: unknown,
  ownText: OwnText,
  isInside: boolean,
  above: Set<Error>,
): unknown => {
  if (!(error instanceof Error)) return isInside ? undefined : error
  if (above.has(error) || above.size === MAX_CAUSES) return undefined
  above.add(error)
  const text = ownText(error)
  if (text !== undefined) return copied(error, text, withoutValuesInside(error.cause, ownText, true, above))
  const isDriver = isInside || isOfDatabase(error)
  // Errors of PGlite look like those of drizzle, but have more than the statement.
  const isStatement = !isDriver && isOfQuery(error)
  const isOfDriver = isDriver || isStatement
  const cause = withoutValuesInside(error.cause, ownText, isOfDriver, above)
  if (isStatement) return copied(error, `Failed query: ${Reflect.get(error, 'query')}`, cause)
  if (isOfDriver) return copied(error, logMessage(error), cause)
  // Keeps the identity and class of the error, on which other code may rely.
  if (cause !== error.cause) Reflect.defineProperty(error, 'cause', { ...hidden, value: cause })
  return error
}

const hidden: PropertyDescriptor = { configurable: true, enumerable: false, writable: true }

/** Properties with names of database objects. postgres.js has `table_name` instead. */
const places = ['schema', 'table', 'column', 'constraint'] as const

/** Other properties may contain values, such as `detail` of PostgreSQL and `sql` of mysql2. */
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
 * The message of a driver's error for a log. Servers quote values differently in each language, some without quotes. If the
 * message may contain a value, it is replaced with the name of the SQL condition.
 */
const logMessage = (error: Error): string => {
  const code = codeOf(error)
  const own = textProperty(error, 'sqlState') ?? code
  const number: unknown = Reflect.get(error, 'errno')
  // HTTP drivers put it into the message, together with the statement and its values.
  const match =
    own.length === STATE_LENGTH ? null : /(?:\(errno (\d+)\) )?\(sqlstate (\w{5})\)/.exec(error.message)
  const state = match?.[2] ?? own
  const errno = typeof number === 'number' ? String(number) : (match?.[1] ?? '')
  const condition = conditionOf(state, errno) ?? (match === null ? undefined : classes['HY'])
  // The driver of MariaDB adds the statement with its values to the message.
  if (condition === undefined) return textProperty(error, 'sqlMessage') ?? messageOf(error).replace(ADDED, '')
  const codes = [state, [errno, code === state ? '' : code].filter(Boolean).join(' ')].filter(Boolean)
  const about = places.flatMap((place) => {
    const name =
      place === 'schema' ? undefined : (textProperty(error, place) ?? textProperty(error, `${place}_name`))
    return name === undefined ? [] : [`${place} ${name}`]
  })
  return `${condition} (SQLSTATE ${codes.join(', ')})${about.length === 0 ? '' : `: ${about.join(', ')}`}`
}

/** What MikroORM adds to a message of PostgreSQL, with values of the record. */
const ADDED = /\n - (detail|hint): [\s\S]*/

const STATE_LENGTH = 5

/** Its message quotes the statement, which contains values with MySQL drivers. */
const ER_PARSE_ERROR = '1064'

/** The SQL condition of a state whose message may contain a value. `undefined`: the message has only names. */
const conditionOf = (state: string, errno: string): string | undefined => {
  if (errno === ER_PARSE_ERROR) return 'syntax_error'
  if (state.length !== STATE_LENGTH) return undefined
  return ownValue(conditions, state) ?? ownValue(classes, state.slice(0, 2))
}

/** Data exceptions, constraint violations, and errors for which MySQL has no state. */
const classes: Readonly<Record<string, string>> = {
  22: 'data_exception',
  23: 'integrity_constraint_violation',
  HY: 'general_error',
}

/** The most frequent conditions, named as in the documentation of PostgreSQL. */
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
