import { suggest } from '../error/errors.ts'
import type { KindRow } from '../model/codec.ts'
import { rowOf } from '../model/kinds/index.ts'
import { type Field, isReadable, type Model } from '../model/model.ts'
import { onceFor } from '../model/objects.ts'
import type { OptionalTextComparison } from '../model/text-comparisons.ts'
import type { Order } from './ast.ts'
import { type Parameters, refuse, shown } from './parameters.ts'
import type { ListRules } from './settings.ts'

export interface QueryField {
  readonly field: Field
  readonly row: KindRow
  /** `field=value` finds the value anywhere in the field. `false` for keys, which are compared as a whole. */
  readonly contains: boolean
}

/** Whether a field takes a comparison of text that not every source has. */
export const takesText = ({ field, row }: QueryField, op: OptionalTextComparison): boolean =>
  row.textual && field.comparisons?.includes(op) === true

export interface QueryFields {
  /** Only readable fields: all others count as unknown. */
  readonly byName: ReadonlyMap<string, QueryField>
  readonly names: readonly string[]
  readonly sortable: readonly string[]
  /** The fields that `search` looks in. */
  readonly searched: readonly QueryField[]
  /** The last sort keys of every order: the primary key, or without one all fields that can be sorted by. */
  readonly key: readonly Order[]
}

export const queryFields: (model: Model) => QueryFields = onceFor((model) => {
  const keys = new Set([
    ...model.primaryKey,
    ...model.relations.flatMap(({ kind, fields, unchecked }) =>
      kind === 'to-one' && unchecked === undefined ? fields : [],
    ),
  ])
  const readable = model.fields.filter(isReadable).map((field): QueryField => {
    const row = rowOf(field)
    return Object.freeze({ field, row, contains: row.textual && !keys.has(field.name) })
  })
  const sortable = readable.filter(({ row }) => row.comparable || row.ordered).map(({ field }) => field.name)
  const last = model.primaryKey.length > 0 ? model.primaryKey : sortable
  return Object.freeze({
    byName: new Map(readable.map((each) => [each.field.name, each])),
    names: readable.map(({ field }) => field.name),
    searched: readable.filter(
      ({ field, row }) => row.textual && (model.search?.includes(field.name) ?? true),
    ),
    sortable,
    key: Object.freeze(last.map((field): Order => Object.freeze({ field, direction: 'asc' }))),
  })
})

const none: readonly string[] = Object.freeze([])

/**
 * The names in `fields=a,b` and the primary key, in the order of the model, then those of computed fields. `undefined`: all.
 *
 * @throws HttpError 400
 */
export const readFields = (
  { values }: Parameters,
  { model, computedOf = () => none }: ListRules,
): readonly string[] | undefined => {
  // Many clients repeat the name of a list.
  const text = values.get('fields')?.join()
  if (text === undefined) return undefined
  const names = [...queryFields(model).names, ...computedOf(model)]
  const requested = new Set<string>()
  for (const name of text.split(',')) {
    if (name === '') throw refuse('invalid_value', 'fields', `fields contains an empty name. ${once(names)}`)
    if (requested.has(name))
      throw refuse('malformed_query', 'fields', `fields contains ${name} twice. ${once(names)}`)
    if (!names.includes(name)) {
      const hint = suggest(name.slice(0, 60), names)
      throw refuse('unknown_field', 'fields', `Unknown field ${shown(name)} in fields.${hint}`)
    }
    requested.add(name)
  }
  return Object.freeze(names.filter((name) => requested.has(name) || model.primaryKey.includes(name)))
}

/**
 * @param own the part of the name after its relations
 * @throws HttpError 400 if the name is that of a computed field, about which the database knows nothing
 */
export const assertStored = (
  name: string,
  parameter: string,
  { model, computedOf = () => none }: Pick<ListRules, 'model' | 'computedOf'>,
  own: string = name,
): void => {
  if (computedOf(model).includes(own))
    throw refuse(
      'invalid_operator',
      parameter,
      `${shown(name)} is computed after the records are read, so it can be chosen with fields, but not used in conditions, sort or aggregates.`,
    )
}

const once = (names: readonly string[]): string =>
  `Name each field once, separated by commas. Allowed: ${names.join(', ')}.`
