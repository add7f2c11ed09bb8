import { after, type ErrorHandling, ownValue } from '../../model/objects.ts'
import { RefusedInside } from '../refused-inside.ts'
import { type Awaitable, DEFAULT, type Row, SourceError, type SourceErrorKind } from '../source.ts'
import { type DriverRefusal, type ReadError, readRefusal, withoutValues } from './errors.ts'
import type { ForeignKey } from './table.ts'

/** Handles the error of each method: throws a SourceError if the database refused, else the error itself. */
export interface Refusals {
  readonly read: (error: unknown) => never
  readonly create: (error: unknown, values: Row) => Awaitable<never>
  readonly update: (error: unknown, key: readonly unknown[], values: Row) => Awaitable<never>
  readonly remove: (error: unknown, key: readonly unknown[]) => Awaitable<never>
}

/** A violated foreign key: its model, and its fields. */
export interface BrokenKey {
  readonly model: string
  readonly fields: readonly string[]
}

/** Finds the violated foreign keys with queries: databases report them in different ways, or not at all. */
export interface BrokenKeys {
  /** Foreign keys in `values` that refer to missing records. `key` is that of the updated record. */
  missing(values: Row, key?: readonly unknown[]): Awaitable<readonly BrokenKey[]>
  /** Foreign keys of other records that prevent a delete of this one, or a change of `fields`. */
  holding(key: readonly unknown[], fields?: readonly string[]): Awaitable<readonly BrokenKey[]>
}

/** Whether a write has a part of a foreign key. Only the database knows a default. */
export const isSentIn =
  (values: Row) =>
  (name: string): boolean => {
    const value = ownValue(values, name)
    return value !== undefined && value !== null && value !== DEFAULT
  }

/** The foreign keys of a record that may refer to a missing record after a write. @param key that of the updated record */
export const mayBeMissing = <Of extends Pick<ForeignKey, 'fields' | 'inherited'>>(
  keys: readonly Of[],
  values: Row,
  key?: readonly unknown[],
): readonly Of[] => {
  const isSent = isSentIn(values)
  const isKept = (name: string): boolean => key !== undefined && ownValue(values, name) === undefined
  return keys
    .filter(({ fields, inherited }) => inherited !== true && fields.some(isSent))
    .filter(({ fields }) => fields.every((name) => isSent(name) || isKept(name)))
}

/** The foreign keys to a record that may prevent its delete, or a change of these fields. */
export const mayHold = <Of extends Pick<ForeignKey, 'references' | 'restricts'>>(
  keys: readonly Of[],
  changed?: readonly string[],
): readonly Of[] =>
  keys.filter(({ references, restricts }) =>
    changed === undefined ? restricts : references.some((name) => changed.includes(name)),
  )

/** What is known about a table and its database, to understand refusals. */
export interface RefusingTable {
  readonly errorHandling: ErrorHandling
  readonly readError: ReadError
  /** The fields that a refusal is about. */
  fieldsOf(refusal: DriverRefusal): readonly string[]
  readonly brokenKeys: BrokenKeys
  /**
   * Queries the fields of refused values, if the error names none. `undefined`: the error has nothing to do with values.
   *
   * @param isOfValue whether the error is known to be about a value
   */
  refusedFields?(
    values: Row,
    error: unknown,
    isOfValue: boolean,
  ): (() => Awaitable<readonly string[]>) | undefined
}

/** @param lookLater a failed transaction accepts no queries, so looking up the cause waits for its end */
export const refusalsOf = (
  { errorHandling, readError, fieldsOf, brokenKeys, refusedFields }: RefusingTable,
  lookLater: boolean,
): Refusals => {
  const refusalOf = (error: unknown): DriverRefusal | undefined =>
    error instanceof SourceError ? undefined : readRefusal(error, readError)

  const isForeignKey = (error: unknown): boolean => refusalOf(error)?.kind === 'foreign-key'

  const translated = (error: unknown): SourceError | undefined => {
    const refusal = refusalOf(error)
    if (refusal === undefined) return undefined
    const kind = refusal.kind === 'foreign-key' ? 'missing-reference' : refusal.kind
    return new SourceError(kind, { fields: fieldsOf(refusal), cause: error })
  }

  const refuse = (error: unknown): never => {
    throw translated(error) ?? error
  }

  /** @param otherwise thrown if the query of the cause fails, such as in a transaction of the application */
  const lookUp = (otherwise: unknown, cause: unknown, look: () => Awaitable<never>): Awaitable<never> => {
    const looking = errorHandling.recovering(look, (error) => {
      throw error instanceof SourceError && error.cause === cause ? error : otherwise
    })
    if (lookLater) throw new RefusedInside(looking, cause)
    return looking()
  }

  const refuseValue = (error: unknown, values: Row): Awaitable<never> => {
    const refusal = translated(error)
    const isOpen = refusal === undefined || (ofValues.has(refusal.kind) && refusal.fields.length === 0)
    const query = isOpen ? refusedFields?.(values, error, refusal !== undefined) : undefined
    if (query === undefined) throw refusal ?? error
    return lookUp(refusal ?? error, error, () =>
      after(query(), (fields) => {
        if (fields.length === 0) throw refusal ?? error
        throw new SourceError(refusal?.kind ?? 'value', { fields, cause: error })
      }),
    )
  }

  const refuseWrite = (given: unknown, values: Row, key?: readonly unknown[]): Awaitable<never> => {
    const error = withoutValues(given)
    if (!isForeignKey(error)) return refuseValue(error, values)
    return lookUp(missingReference([], error), error, () =>
      after(brokenKeys.missing(values, key), (missing) => {
        if (key === undefined || missing.length > 0) throw missingReference(missing, error)
        return after(brokenKeys.holding(key, Object.keys(values)), (holding) => {
          // Only the database knows the foreign key, or the default that refers to a missing record.
          throw holding.length === 0 ? missingReference([], error) : stillReferenced(holding, error)
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
      if (!isForeignKey(error)) return refuse(error)
      return lookUp(stillReferenced([], error), error, () =>
        after(brokenKeys.holding(key), (holding) => {
          throw stillReferenced(holding, error)
        }),
      )
    },
  }
}

const missingReference = (missing: readonly BrokenKey[], cause: unknown): SourceError =>
  new SourceError('missing-reference', { fields: fieldsIn(missing), cause })

const stillReferenced = (holding: readonly BrokenKey[], cause: unknown): SourceError => {
  const models = [...new Set(holding.map(({ model }) => model))]
  return new SourceError('still-referenced', { models, fields: fieldsIn(holding), cause })
}

const fieldsIn = (keys: readonly BrokenKey[]): readonly string[] => [
  ...new Set(keys.flatMap(({ fields }) => fields)),
]

const ofValues: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>(['value', 'check', 'not-null'])
