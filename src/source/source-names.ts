import { problem } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { ErrorHandling } from '../model/objects.ts'
import {
  type Aggregation,
  type Condition,
  columnName,
  type Order,
  sortName,
  withParts,
} from '../query/ast.ts'
import type { OtherNames } from '../query/translation.ts'
import { RefusedInside } from './refused-inside.ts'
import { type Row, SourceError } from './source.ts'

/** What the source calls the fields and relations of a model, where the names differ. */
export interface SourceNames extends OtherNames {
  /** Name of a field in the source -> name of the field. */
  readonly shown: NewNamesByOld
  /** A field of the source that every record has a value for. */
  readonly key: string
}

type NewNamesByOld = ReadonlyMap<string, string>

/**
 * @param models the models with the names that requests use
 * @param inSource the same models with the names of the source, in the same order
 * @returns the names by the model, or `undefined` if all names are the same
 */
export const namesBetween = (
  models: readonly Model[],
  inSource: readonly Model[],
): ReadonlyMap<string, SourceNames> | undefined => {
  const names = models.map((model, at): readonly [string, SourceNames] => {
    const own = inSource[at] ?? model
    const fields = renamed(model.fields, own.fields)
    const shown = new Map([...fields].map(([name, other]) => [other, name]))
    const [key = ''] = own.primaryKey
    return [model.name, { fields, shown, relations: renamed(model.relations, own.relations), key }]
  })
  const isSame = names.every(([, { fields, relations }]) => fields.size + relations.size === 0)
  return isSame ? undefined : new Map(names)
}

type Named = readonly { readonly name: string }[]

const renamed = (all: Named, inSource: Named): NewNamesByOld =>
  new Map(
    all
      .map(({ name }, at) => [name, inSource[at]?.name ?? name] as const)
      .filter(([name, other]) => name !== other),
  )

/** Values of a record that is written. */
export const valuesInSource = (values: Row, { fields }: SourceNames): Row => withKeys(values, fields)

export const rowShown = <Found extends Row | undefined>(row: Found, { shown }: SourceNames): Found | Row =>
  row && withKeys(row, shown)

/** @param order the sort keys of the request @param inSource those that the source got in their place */
export const rowsShown = (
  rows: readonly Row[],
  { shown }: SourceNames,
  order: readonly Order[] = [],
  inSource: readonly Order[] = [],
): readonly Row[] => {
  const keys = new Map(shown)
  order.forEach((key, at) => {
    if (key.via !== undefined) keys.set(sortName(inSource[at] ?? key), sortName(key))
  })
  return withAllKeys(rows, keys)
}

/** The error of a store, with the names of the request. */
export const errorShown = (thrown: unknown, names: SourceNames, errorHandling: ErrorHandling): unknown => {
  const { shown } = names
  if (thrown instanceof RefusedInside) {
    const look = errorHandling.recovering(thrown.look, (found): never => {
      throw errorShown(found, names, errorHandling)
    })
    return new RefusedInside(look, thrown.cause)
  }
  if (!(thrown instanceof SourceError) || shown.size === 0) return thrown
  const { kind, models, cause } = thrown
  const fields = thrown.fields.map((name) => shown.get(name) ?? name)
  return new SourceError(kind, { fields, models, messages: withKeys(thrown.messages, shown), cause })
}

/** @returns also what makes rows of the result those of the request */
export const aggregationInSource = (
  aggregation: Aggregation,
  names: SourceNames,
): readonly [Aggregation, (found: readonly Row[]) => readonly Row[]] => {
  const named = <Column extends { readonly field?: string }>(column: Column): Column =>
    column.field === undefined ? column : { ...column, field: names.fields.get(column.field) ?? column.field }
  const groups = aggregation.groups.map(named)
  const taken = new Set(groups.map(columnName))
  // In the source, a field may be called `count`. All records have a key, so counting keys is the same.
  const aggregates = aggregation.aggregates
    .map(named)
    .map((column) =>
      column.field === undefined && taken.has(columnName(column)) ? { ...column, field: names.key } : column,
    )
  const shown = [...aggregation.groups, ...aggregation.aggregates].map(columnName)
  const inSource = [...groups, ...aggregates].map(columnName)
  if (new Set(inSource).size < inSource.length)
    throw problem(
      'malformed_query',
      `${shown.join(' and ')} cannot be in one result, because fields have other names in the database. Ask for them separately.`,
    )
  const columns = new Map(shown.map((name, at) => [name, inSource[at] ?? name]))
  const order = aggregation.order.map((key) => ({ ...key, column: columns.get(key.column) ?? key.column }))
  const keys = new Map([...columns].map(([name, own]) => [own, name]))
  const having = aggregation.having && { having: withNames(aggregation.having, columns) }
  return [{ ...aggregation, groups, aggregates, order, ...having }, (found) => withAllKeys(found, keys)]
}

const withNames = (condition: Condition, names: NewNamesByOld): Condition => {
  const changed = withParts(condition, (part) => withNames(part, names))
  return 'field' in changed ? { ...changed, field: names.get(changed.field) ?? changed.field } : changed
}

const withKeys = <T>(
  values: Readonly<Record<string, T>>,
  keys: NewNamesByOld,
): Readonly<Record<string, T>> => {
  if (keys.size === 0) return values
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [keys.get(name) ?? name, value]))
}

const withAllKeys = (rows: readonly Row[], keys: NewNamesByOld): readonly Row[] =>
  [...keys].every(([from, to]) => from === to) ? rows : rows.map((row) => withKeys(row, keys))
