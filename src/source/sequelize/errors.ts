import { causesOf } from '../../observe/log.ts'
import { SourceError } from '../source.ts'
import type { Family } from '../sql/codecs.ts'
import { type DriverRefusal, type ReadError, readRefusal } from '../sql/errors.ts'
import { loggable as withoutValues } from '../sql/loggable.ts'
import { readers } from '../sql/readers.ts'

/** Judged by its name, because the application may have another copy of Sequelize. */
export const isOfSequelize = (error: Error): boolean => error.name.startsWith('Sequelize')

/** What a validator of a model refused, before a statement ran. */
interface Refused {
  readonly path: string | null
  readonly type: string | null
  readonly validatorKey: string | null
  readonly message: string
  /** What a validator threw. */
  readonly original?: unknown
}

const refusedIn = (error: Error): readonly Refused[] => {
  const items: unknown = Reflect.get(error, 'errors')
  return error.name === 'SequelizeValidationError' && Array.isArray(items) ? items : []
}

/** The error of the driver. Those of Sequelize carry the statement and its values. */
const originalOf = (error: Error): Error | undefined => {
  const original: unknown = Reflect.get(error, 'original')
  return original instanceof Error ? original : undefined
}

const connecting =
  /^Sequelize(Connection|AccessDenied|HostNot(Found|Reachable)|InvalidConnection)\w*Error$|^SequelizeConnectionError$/

/** Has no class and no code. */
const closed = /^ConnectionManager\.getConnection was called after the connection manager was closed/

/** Reads the errors of the driver, which Sequelize wraps. */
export const readErrorOf =
  (family: Family): ReadError =>
  (error): DriverRefusal | undefined => {
    if (!(error instanceof Error)) return readers[family](error)
    if (closed.test(error.message)) return { kind: 'unavailable' }
    if (!isOfSequelize(error)) return readers[family](error)
    if (connecting.test(error.name)) return { kind: 'unavailable' }
    if (error.name === 'SequelizeOptimisticLockError') return { kind: 'contended' }
    const original = originalOf(error)
    return original && readRefusal(original, readers[family])
  }

/** Errors without a class, whose message or `sql` has values. */
const classless = /^(Invalid value(?= )|(commit|rollback) has been called on this transaction)/

/** An error of a statement without the statement, its values and the record. */
const cleaned = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const several: unknown = Reflect.get(error, 'errors')
  // `bulkCreate` has one for each record.
  if (error.name === 'AggregateError' && Array.isArray(several) && several.some(isError)) {
    const isClean = several.every((one) => cleaned(one) === one)
    return isClean
      ? error
      : new AggregateError(
          several.map((one) => withoutValues(cleaned(one))),
          error.message,
        )
  }
  const [text] = classless.exec(error.message) ?? []
  if (text !== undefined) return new Error(text)
  if (!isOfSequelize(error)) return error
  if (several instanceof Error) return cleaned(several)
  const original = originalOf(error)
  if (original !== undefined) return cleaned(original)
  const refused = refusedIn(error)
  if (refused.length === 0) return new Error(error.name)
  const parts = refused.map(({ path, type, validatorKey }) => `${path}: ${type ?? validatorKey}`)
  return new Error(`The validators of the model refused ${parts.join(', ')}`)
}

const isError = (error: unknown): boolean => error instanceof Error

/** The error for a log: without the values of records, such as passwords, that drivers and Sequelize put into errors. */
export const loggable = (error: unknown): unknown => {
  for (const inner of causesOf(error)) {
    const cause = cleaned(inner.cause)
    if (cause !== inner.cause)
      Reflect.defineProperty(inner, 'cause', {
        ...{ configurable: true, enumerable: false, writable: true, value: cause },
      })
  }
  return withoutValues(cleaned(error))
}

/** Throws what a statement failed with: what a validator refused by its fields, else the error of the driver. */
export const rethrow = (error: unknown, isField: (name: string) => boolean): never => {
  if (!(error instanceof Error) || !isOfSequelize(error)) throw error
  const [first, ...others] = refusedIn(error)
  if (first !== undefined) {
    const fields = [first, ...others].flatMap(({ path }) => (path !== null && isField(path) ? [path] : []))
    const kind = kindOf(first)
    throw new SourceError(kind, {
      ...{ fields: [...new Set(fields)], cause: cleaned(error) },
      ...(kind === 'check' && { messages: messagesOf([first, ...others], isField) }),
    })
  }
  const { name } = error
  if (connecting.test(name)) throw new SourceError('unavailable', { cause: cleaned(error) })
  if (name === 'SequelizeOptimisticLockError') throw new SourceError('contended', { cause: cleaned(error) })
  const original = originalOf(error)
  throw original === undefined ? error : withoutStatement(original)
}

/** What validators say by field, as far as it is meant for users: no errors of statements, and none of mistakes. */
const messagesOf = (
  refused: readonly Refused[],
  isField: (name: string) => boolean,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    refused
      .filter(({ original }) => typeof original === 'string' || isPlainError(original))
      .map(({ path, message }) => [path !== null && isField(path) ? path : '', message] as const)
      // The first message about a field stays.
      .toReversed(),
  )

const isPlainError = (error: unknown): boolean =>
  error instanceof Error &&
  Object.getPrototypeOf(error) === Error.prototype &&
  Object.keys(error).every((name) => name === 'validatorName' || name === 'validatorArgs')

/** Drivers and Sequelize add the statement and its values, also to the message. */
const withoutStatement = (error: Error): Error => {
  for (const name of ['sql', 'parameters', 'detail'])
    if (Object.hasOwn(error, name)) Reflect.defineProperty(error, name, { enumerable: false })
  const { message, stack = '' } = error
  const plain = message.split('\nsql: ')[0] ?? ''
  return Object.assign(error, { message: plain, stack: stack.replace(message, () => plain) })
}

const kindOf = ({ type }: Refused): 'not-null' | 'value' | 'check' => {
  if (type === 'notNull Violation' || type === 'notnull violation') return 'not-null'
  return type === 'string violation' ? 'value' : 'check'
}
