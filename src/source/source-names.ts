import { problem } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import {
  type Aggregation,
  type Condition,
  columnName,
  type Hop,
  type Order,
  type Selection,
  sortName,
  withParts,
} from '../query/ast.ts'
import { type RelatedTo, type Row, SourceError } from './source.ts'

interface End {
  /** The name of the relation in the source. */
  readonly name: string
  readonly model: string
  readonly join: string
}

interface ModelNames {
  /** Name of a field -> its name in the source, where they differ. */
  readonly fields: ReadonlyMap<string, string>
  /** The reverse. */
  readonly shown: ReadonlyMap<string, string>
  readonly relations: ReadonlyMap<string, End>
  /** A field that every record has a value for. */
  readonly key: string
}

/** Model -> what the source calls its fields and relations. */
type Names = ReadonlyMap<string, ModelNames>

/**
 * @param models the models with the names that requests use
 * @param inSource the same models with the names of the source, in the same order
 * @returns `undefined` if all names are the same
 */
export const namesBetween = (models: readonly Model[], inSource: readonly Model[]): Names | undefined => {
  let isSame = true
  const names = models.map(({ name: model, fields, relations }, at): readonly [string, ModelNames] => {
    const own = inSource[at]
    const renamed = fields
      .map(({ name }, place) => [name, own?.fields[place]?.name ?? name] as const)
      .filter(([name, other]) => name !== other)
    isSame &&= renamed.length === 0
    const ends = relations.map((relation, place) => {
      const name = own?.relations[place]?.name ?? relation.name
      isSame &&= name === relation.name
      return [relation.name, { name, model: relation.model, join: relation.through?.model ?? '' }] as const
    })
    const shown = new Map(renamed.map(([name, other]) => [other, name]))
    const [key = ''] = own?.primaryKey ?? []
    return [model, { fields: new Map(renamed), shown, relations: new Map(ends), key }]
  })
  return isSame ? undefined : new Map(names)
}

/** Translates between requests and the source, by the name of the model. */
export interface Translator {
  readonly endOf: (model: string, relation: string) => End
  readonly field: (name: string, model: string) => string
  readonly condition: (given: Condition, model: string) => Condition
  readonly selection: (given: Selection, model: string) => Selection
  readonly to: (given: RelatedTo, model: string) => RelatedTo
  readonly values: (given: Row, model: string) => Row
  /** From the source. */
  readonly row: (found: Row, model: string) => Row
  /** From the source, with the sort values that it has read through relations. */
  readonly rows: (found: readonly Row[], model: string, asked?: readonly Order[]) => readonly Row[]
  /** With what makes rows of the result those of the request. */
  readonly aggregation: (
    given: Aggregation,
    model: string,
  ) => { readonly inSource: Aggregation; readonly rows: (found: readonly Row[]) => readonly Row[] }
  /** What a store of the model has thrown, with the names of the request. */
  readonly error: (thrown: unknown, model: string) => unknown
}

/** Returns what does not change as it is: stores recognize some conditions. */
export const translator = (names: Names): Translator => {
  const endOf = (model: string, relation: string): End =>
    names.get(model)?.relations.get(relation) ?? { name: relation, model: '', join: '' }

  const field = (name: string, model: string): string => names.get(model)?.fields.get(name) ?? name

  const condition = (given: Condition, model: string): Condition => {
    if (given.op === 'related') {
      const { name, ...end } = endOf(model, given.relation)
      const inner = condition(given.condition, end.model)
      return { ...given, relation: name, condition: inner, ...linked(given, end) }
    }
    const changed = withParts(given, (inner) => condition(inner, model))
    if (!('field' in changed)) return changed
    const name = field(changed.field, model)
    return name === changed.field ? changed : { ...changed, field: name }
  }

  const linked = ({ link }: { readonly link?: Condition }, { join }: Pick<End, 'join'>) =>
    link && { link: condition(link, join) }

  const order = (given: readonly Order[], model: string): readonly Order[] =>
    each(given, (key) => {
      let at = model
      const via = key.via?.map((hop): Hop => {
        const end = endOf(at, hop.relation)
        at = end.model
        return { relation: end.name, ...(hop.guard && { guard: condition(hop.guard, at) }) }
      })
      const name = field(key.field, at)
      return via === undefined && name === key.field ? key : { ...key, field: name, ...(via && { via }) }
    })

  const selection = (given: Selection, model: string): Selection => ({
    ...{ ...given, filter: condition(given.filter, model), order: order(given.order, model) },
    ...(given.fields && { fields: each(given.fields, (name) => field(name, model)) }),
  })

  const to = (given: RelatedTo, model: string): RelatedTo => {
    const end = endOf(model, given.relation)
    const guard = condition(given.guard, end.model)
    return { ...given, relation: end.name, guard, ...linked(given, end) }
  }

  const values = (given: Row, model: string): Row => withKeys(given, names.get(model)?.fields)

  const row = (given: Row, model: string): Row => withKeys(given, names.get(model)?.shown)

  const rows: Translator['rows'] = (given, model, asked = []) => {
    const sorts = asked
      .filter(({ via }) => via !== undefined)
      .map((key): readonly [string, string] => [sortName(order([key], model)[0] ?? key), sortName(key)])
    return renamedRows(given, new Map([...(names.get(model)?.shown ?? []), ...sorts]))
  }

  const aggregation: Translator['aggregation'] = (given, model) => {
    const named = <Column extends { readonly field?: string }>(column: Column): Column =>
      column.field === undefined ? column : { ...column, field: field(column.field, model) }
    const groups = given.groups.map(named)
    const isTaken = (name: string): boolean => groups.some((group) => columnName(group) === name)
    const key = names.get(model)?.key ?? ''
    // In the source, a field may be called `count`. All records have a key, so counting keys is the same.
    const aggregates = given.aggregates
      .map(named)
      .map((aggregate) =>
        isTaken(columnName(aggregate)) && aggregate.field === undefined
          ? { ...aggregate, field: key }
          : aggregate,
      )
    const inSource = [...groups, ...aggregates].map(columnName)
    const columns = new Map(
      [...given.groups, ...given.aggregates].map((column, at) => [columnName(column), inSource[at] ?? '']),
    )
    if (new Set(inSource).size < inSource.length)
      throw problem(
        'malformed_query',
        `${[...columns.keys()].join(' and ')} cannot be in one result, because fields have other names in the database. Ask for them separately.`,
      )
    const ordered = given.order.map((key) => ({ ...key, column: columns.get(key.column) ?? key.column }))
    const filter = condition(given.filter, model)
    const shown = new Map([...columns].map(([name, own]) => [own, name]))
    return {
      inSource: { ...given, filter, groups, aggregates, order: ordered },
      rows: (found: readonly Row[]) => renamedRows(found, shown),
    }
  }

  const error: Translator['error'] = (thrown, model) => {
    const shown = names.get(model)?.shown
    if (!(thrown instanceof SourceError) || shown === undefined || shown.size === 0) return thrown
    return new SourceError(thrown.kind, {
      fields: thrown.fields.map((name) => shown.get(name) ?? name),
      models: thrown.models,
      messages: withKeys(thrown.messages, shown),
      cause: thrown.cause,
    })
  }

  return { endOf, field, condition, selection, to, values, row, rows, aggregation, error }
}

/** The same array if no element changes. */
const each = <T>(all: readonly T[], change: (one: T) => T): readonly T[] => {
  const changed = all.map(change)
  return changed.some((one, at) => one !== all[at]) ? changed : all
}

const withKeys = <T>(
  values: Readonly<Record<string, T>>,
  keys: ReadonlyMap<string, string> = new Map(),
): Readonly<Record<string, T>> => {
  if (keys.size === 0) return values
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [keys.get(name) ?? name, value]))
}

const renamedRows = (rows: readonly Row[], keys: ReadonlyMap<string, string>): readonly Row[] =>
  [...keys].every(([from, to]) => from === to) ? rows : rows.map((row) => withKeys(row, keys))
