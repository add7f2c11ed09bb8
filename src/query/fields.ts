import type { KindRow } from '../model/codec.ts'
import { rowOf } from '../model/kinds.ts'
import { type Field, isReadable, type Model } from '../model/model.ts'
import { onceFor } from '../model/once-for.ts'
import type { Order } from './ast.ts'

/** A field that may be asked about. */
export interface QueryField {
  readonly field: Field
  readonly row: KindRow
  /** `field=value` finds text anywhere in the field: keys are text that is compared as a whole. */
  readonly contains: boolean
}

/** What queries need to know of a model. */
export interface QueryFields {
  /** The readable fields, by name. What cannot be read is not there, so that it is unknown everywhere. */
  readonly byName: ReadonlyMap<string, QueryField>
  readonly names: readonly string[]
  readonly sortable: readonly string[]
  /** The fields that `search` looks in. */
  readonly searched: readonly QueryField[]
  /** The primary key, which every order ends with. */
  readonly key: readonly Order[]
}

/** Read once for a model. */
export const queryFields: (model: Model) => QueryFields = onceFor((model) => {
  const keys = new Set([
    ...model.primaryKey,
    ...model.relations.flatMap(({ kind, fields }) => (kind === 'to-one' ? fields : [])),
  ])
  const readable = model.fields.filter(isReadable).map((field): QueryField => {
    const row = rowOf(field)
    return Object.freeze({ field, row, contains: row.textual && !keys.has(field.name) })
  })
  return Object.freeze({
    byName: new Map(readable.map((each) => [each.field.name, each])),
    names: readable.map(({ field }) => field.name),
    searched: readable.filter(
      ({ field, row }) => row.textual && (model.search?.includes(field.name) ?? true),
    ),
    sortable: readable.filter(({ row }) => row.comparable).map(({ field }) => field.name),
    key: Object.freeze(model.primaryKey.map((field): Order => Object.freeze({ field, direction: 'asc' }))),
  })
})
