import { isTable } from 'drizzle-orm'
import { type Awaitable, DEFAULT, type Row, SourceError, type SourceErrorKind } from '../source.ts'
import { type DriverRefusal, readRefusal, withoutValues } from '../sql/errors.ts'
import type { BoundTable } from './bound-table.ts'
import { readChecks, readIndexes } from './constraints.ts'
import type { Database } from './database.ts'
import { asyncExecution, syncExecution } from './execution.ts'
import { type BrokenKeys, mayBeAboutValue, refusedByPg } from './refused-fields.ts'
import type { DescribedTable } from './tables.ts'

/**
 * What becomes of an error of each act. All of them throw: a SourceError for what the database refuses, and the error as
 * it is for everything else.
 */
export interface Refusals {
  read(error: unknown): never
  create(error: unknown, values: Row): Awaitable<never>
  update(error: unknown, key: readonly unknown[], values: Row): Awaitable<never>
  remove(error: unknown, key: readonly unknown[]): Awaitable<never>
}

/** What refusals are made of. */
export interface Refusing {
  readonly described: DescribedTable
  readonly brokenKeys: BrokenKeys
  /** In a transaction that has failed nothing more can be asked: what has to be looked up waits for its end. */
  readonly lookLater: boolean
}

/** Thrown out of a transaction that a refusal ends. `look` tells what it is about, and throws that. */
export class RefusedInside extends Error {
  readonly look: () => Awaitable<never>

  constructor(look: () => Awaitable<never>, cause: unknown) {
    super('A write was refused in a transaction.', { cause })
    this.look = look
  }
}

/** The refusals of one table. */
export const refusalsOf = (
  database: Database,
  table: BoundTable,
  { described, brokenKeys, lookLater }: Refusing,
): Refusals => {
  const { recovering, after } = database.synchronous ? syncExecution : asyncExecution

  const read = (error: unknown): never => {
    throw translated(table, described, error) ?? error
  }

  /** @param otherwise what is thrown where the look itself fails, as in a transaction of the host's own */
  const lookedUp = (otherwise: unknown, cause: unknown, look: () => Awaitable<never>): Awaitable<never> => {
    const lookUp = recovering(look, (error) => {
      throw error instanceof SourceError && error.cause === cause ? error : otherwise
    })
    if (lookLater) throw new RefusedInside(lookUp, cause)
    return lookUp()
  }

  /** A refusal of a value names its field, where that can be found out. */
  const readValue = (error: unknown, values: Row): Awaitable<never> => {
    const refusal = translated(table, described, error)
    const isOpen =
      refusal === undefined
        ? mayBeAboutValue(error)
        : ofValues.has(refusal.kind) && refusal.fields.length === 0
    if (database.dialect !== 'pg' || !isOpen) throw refusal ?? error
    return lookedUp(refusal ?? error, error, () =>
      after(refusedByPg(database, table, values, error), (fields) => {
        if (fields.length === 0) throw refusal ?? error
        throw new SourceError(refusal?.kind ?? 'value', { fields, cause: error })
      }),
    )
  }

  const missing = (
    cause: unknown,
    about: { values: Row; key?: readonly unknown[] },
    otherwise: () => Awaitable<never>,
  ): Awaitable<never> =>
    after(brokenKeys.missing(table, about.values, about.key), (suspects) => {
      if (suspects.length === 0) return otherwise()
      const fields = distinct(suspects.flatMap((suspect) => suspect.fields))
      throw new SourceError('missing-reference', { fields, cause })
    })

  const holding = (cause: unknown, key: readonly unknown[], changed?: Row): Awaitable<never> =>
    after(brokenKeys.holding(table, key, changed && Object.keys(changed)), (suspects) => {
      // A key that a default completed points to nothing, and nobody but the database knows its default.
      if (suspects.length === 0 && changed !== undefined && hasDefault(changed))
        return unknownReference(cause)()
      const models = distinct(suspects.map(({ model }) => model))
      const fields = distinct(suspects.flatMap((suspect) => suspect.fields))
      throw new SourceError('still-referenced', { models, fields, cause })
    })

  const unknownReference = (cause: unknown) => (): never => {
    throw new SourceError('missing-reference', { cause })
  }

  const quiet =
    <Rest extends unknown[], T>(refuse: (error: unknown, ...rest: Rest) => T) =>
    (error: unknown, ...rest: Rest): T =>
      refuse(withoutValues(error), ...rest)

  return Object.freeze<Refusals>({
    read: quiet(read),
    create: quiet((error, values) =>
      isForeignKey(table, error)
        ? lookedUp(refusalIs('missing-reference', error), error, () =>
            missing(error, { values }, unknownReference(error)),
          )
        : readValue(error, values),
    ),
    update: quiet((error, key, values) =>
      isForeignKey(table, error)
        ? lookedUp(refusalIs('missing-reference', error), error, () =>
            missing(error, { values, key }, () => holding(error, key, values)),
          )
        : readValue(error, values),
    ),
    remove: quiet((error, key) =>
      isForeignKey(table, error)
        ? lookedUp(refusalIs('still-referenced', error), error, () => holding(error, key))
        : read(error),
    ),
  })
}

const refusalIs = (kind: SourceErrorKind, cause: unknown): SourceError => new SourceError(kind, { cause })

const ofValues: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>(['value', 'check', 'not-null'])

const hasDefault = (values: Row): boolean => Object.values(values).includes(DEFAULT)

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)]

const refusalOf = ({ dialect }: BoundTable, error: unknown): DriverRefusal | undefined =>
  error instanceof SourceError ? undefined : readRefusal(error, dialect.readError)

const isForeignKey = (table: BoundTable, error: unknown): boolean =>
  refusalOf(table, error)?.kind === 'foreign-key'

const translated = (
  table: BoundTable,
  described: DescribedTable,
  error: unknown,
): SourceError | undefined => {
  const refusal = refusalOf(table, error)
  if (refusal === undefined) return undefined
  const kind = refusal.kind === 'foreign-key' ? 'missing-reference' : refusal.kind
  return new SourceError(kind, { fields: fieldsOf(table, described, refusal), cause: error })
}

const fieldsOf = (
  { fields }: BoundTable,
  { table }: DescribedTable,
  { columns = [], check, index }: DriverRefusal,
): readonly string[] => {
  const checks = check === undefined || !isTable(table) ? [] : readChecks(table)
  const indexes = index === undefined || !isTable(table) ? [] : readIndexes(table)
  return [
    ...(indexes.find(({ names }) => names.includes(index ?? ''))?.fields ?? []),
    ...fields.filter(({ columnName }) => columns.includes(columnName)).map(({ field }) => field.name),
    ...checks.filter(({ name }) => name === check).flatMap((found) => found.fields),
  ]
}
