import { isTable } from 'drizzle-orm'
import { after } from '../../model/objects.ts'
import { type Awaitable, DEFAULT, type Row, SourceError, type SourceErrorKind } from '../source.ts'
import { type DriverRefusal, readRefusal, withoutValues } from '../sql/errors.ts'
import type { BoundTable } from './bound-table.ts'
import { readChecks, readIndexes } from './constraints.ts'
import { type Database, executionOf } from './database.ts'
import { type BrokenKeys, mayBeAboutValue, refusedByPg, type Suspect } from './refused-fields.ts'

/** Handles the error of each method: throws a SourceError if the database refused, else the error itself. */
export interface Refusals {
  readonly read: (error: unknown) => never
  readonly create: (error: unknown, values: Row) => Awaitable<never>
  readonly update: (error: unknown, key: readonly unknown[], values: Row) => Awaitable<never>
  readonly remove: (error: unknown, key: readonly unknown[]) => Awaitable<never>
}

/** Ends a transaction after a refused write. `look` queries the cause and throws it. */
export class RefusedInside extends Error {
  readonly look: () => Awaitable<never>

  constructor(look: () => Awaitable<never>, cause: unknown) {
    super('The database refused a write in a transaction.', { cause })
    this.look = look
  }
}

/** @param lookLater a failed transaction accepts no queries, so looking up the cause waits for its end */
export const refusalsOf = (
  database: Database,
  table: BoundTable,
  brokenKeys: BrokenKeys,
  lookLater: boolean,
): Refusals => {
  const { recovering } = executionOf(database)

  const refuse = (error: unknown): never => {
    throw translated(table, error) ?? error
  }

  /** @param otherwise thrown if the query of the cause fails, such as in a transaction of the application */
  const lookUp = (otherwise: unknown, cause: unknown, look: () => Awaitable<never>): Awaitable<never> => {
    const looking = recovering(look, (error) => {
      throw error instanceof SourceError && error.cause === cause ? error : otherwise
    })
    if (lookLater) throw new RefusedInside(looking, cause)
    return looking()
  }

  const refuseValue = (error: unknown, values: Row): Awaitable<never> => {
    const refusal = translated(table, error)
    const isOpen =
      refusal === undefined
        ? mayBeAboutValue(error)
        : ofValues.has(refusal.kind) && refusal.fields.length === 0
    if (database.dialect !== 'pg' || !isOpen) throw refusal ?? error
    return lookUp(refusal ?? error, error, () =>
      after(refusedByPg(database, table, values, error), (fields) => {
        if (fields.length === 0) throw refusal ?? error
        throw new SourceError(refusal?.kind ?? 'value', { fields, cause: error })
      }),
    )
  }

  const refuseWrite = (given: unknown, values: Row, key?: readonly unknown[]): Awaitable<never> => {
    const error = withoutValues(given)
    if (!isForeignKey(table, error)) return refuseValue(error, values)
    return lookUp(missingReference([], error), error, () =>
      after(brokenKeys.missing(table, values, key), (missing) => {
        if (key === undefined || missing.length > 0) throw missingReference(missing, error)
        return after(brokenKeys.holding(table, key, Object.keys(values)), (holding) => {
          // The default of a key column refers to a missing record, and only the database knows the default.
          const isOfDefault = holding.length === 0 && Object.values(values).includes(DEFAULT)
          throw isOfDefault ? missingReference([], error) : stillReferenced(holding, error)
        })
      }),
    )
  }

  return {
    read: (given) => refuse(withoutValues(given)),
    create: (given, values) => refuseWrite(given, values),
    update: (given, key, values) => refuseWrite(given, values, key),
    remove: (given, key) => {
      const error = withoutValues(given)
      if (!isForeignKey(table, error)) return refuse(error)
      return lookUp(stillReferenced([], error), error, () =>
        after(brokenKeys.holding(table, key), (holding) => {
          throw stillReferenced(holding, error)
        }),
      )
    },
  }
}

const missingReference = (missing: readonly Suspect[], cause: unknown): SourceError =>
  new SourceError('missing-reference', { fields: fieldsIn(missing), cause })

const stillReferenced = (holding: readonly Suspect[], cause: unknown): SourceError => {
  const models = [...new Set(holding.map(({ model }) => model))]
  return new SourceError('still-referenced', { models, fields: fieldsIn(holding), cause })
}

const fieldsIn = (suspects: readonly Suspect[]): readonly string[] => [
  ...new Set(suspects.flatMap(({ fields }) => fields)),
]

const ofValues: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>(['value', 'check', 'not-null'])

const refusalOf = ({ dialect }: BoundTable, error: unknown): DriverRefusal | undefined =>
  error instanceof SourceError ? undefined : readRefusal(error, dialect.readError)

const isForeignKey = (table: BoundTable, error: unknown): boolean =>
  refusalOf(table, error)?.kind === 'foreign-key'

const translated = (table: BoundTable, error: unknown): SourceError | undefined => {
  const refusal = refusalOf(table, error)
  if (refusal === undefined) return undefined
  const kind = refusal.kind === 'foreign-key' ? 'missing-reference' : refusal.kind
  return new SourceError(kind, { fields: fieldsOf(table, refusal), cause: error })
}

const fieldsOf = (
  { table, fields }: BoundTable,
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
