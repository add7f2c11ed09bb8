import {
  aggregateRows,
  type Capabilities,
  type Condition,
  compareRows,
  holds,
  type Model,
  type RecordStore,
  type RelatedTo,
  type Row,
  type Selection,
  sortName,
  sortValueOf,
} from '../entry/source.ts'
import { evaluationIn, type RelatedRecords, rowsRelatedTo } from './memory-relations.ts'

type Reads = Pick<RecordStore, 'list' | 'count' | 'related' | 'countRelated' | 'aggregate'>

/** The methods of a memory store that read many records. @param now the records at the time of a read */
export const memoryReads = (
  now: () => RelatedRecords,
  model: Model,
  { relations = false, aggregates = false }: Capabilities,
): Reads => {
  const matching = (filter: Condition, guard: Condition): readonly Row[] => {
    const by = evaluationIn(now(), model)
    return now()
      .rowsOf(model)
      .filter((row) => holds(filter, row, by) && holds(guard, row, by))
  }

  /** With the values of sort keys that are reached through relations. */
  const page = (
    of: Model,
    rows: readonly Row[],
    { order, limit, offset, fields }: Selection,
  ): readonly Row[] => {
    const by = evaluationIn(now(), of)
    const joined = order.filter(({ via = [] }) => via.length > 0)
    const sortValues = (row: Row) => joined.map((key) => [sortName(key), copyOf(sortValueOf(key, row, by))])
    return rows
      .toSorted(compareRows(order, by))
      .slice(offset, offset + limit)
      .map((row) => ({ ...chosen(of, row, fields), ...Object.fromEntries(sortValues(row)) }))
  }

  const relatedTo = (to: RelatedTo, filter: Condition): readonly (readonly Row[])[] =>
    to.records.map((values) => rowsRelatedTo(now(), model, to, { values, filter }))

  const targetOf = (name: string): Model =>
    now().modelOf(model.relations.find((relation) => relation.name === name)?.model ?? '')

  return {
    list: async (selection, guard) => page(model, matching(selection.filter, guard), selection),
    count: async (filter, guard, atMost = Infinity) => Math.min(matching(filter, guard).length, atMost),
    ...(relations && {
      related: async (to: RelatedTo, selection: Selection) =>
        relatedTo(to, selection.filter).map((rows) => page(targetOf(to.relation), rows, selection)),
      countRelated: async (to: RelatedTo, filter: Condition) =>
        relatedTo(to, filter).map((rows) => rows.length),
    }),
    ...(aggregates && {
      aggregate: async (aggregation, guard) =>
        aggregateRows(aggregation, matching(aggregation.filter, guard), model, evaluationIn(now(), model)),
    }),
  }
}

/** A `PreciseDate` has more digits than a copy of it would have. */
export const copyOf = (value: unknown): unknown => (value instanceof Date ? value : structuredClone(value))

export const assertFields = (model: Model, names: readonly string[]): void => {
  const unknown = names.find((name) => model.fields.every((field) => field.name !== name))
  if (unknown !== undefined) throw new Error(`${model.name} has no field ${unknown}.`)
}

export const chosen = (model: Model, row: Row, fields?: readonly string[]): Row => {
  assertFields(model, fields ?? [])
  const entries = Object.entries(row).filter(([name]) => fields?.includes(name) ?? true)
  return Object.fromEntries(entries.map(([name, value]) => [name, copyOf(value)]))
}
