import fc from 'fast-check'
import { expect } from 'vitest'
import { kinds } from '../../../src/model/kinds/index.ts'
import type { Field, Model } from '../../../src/model/model.ts'
import { aggregatedKind } from '../../../src/query/aggregate-kinds.ts'
import { aggregateRows } from '../../../src/query/aggregate-rows.ts'
import {
  type Aggregate,
  type Aggregation,
  type Condition,
  columnName,
  everything,
  type Grouping,
} from '../../../src/query/ast.ts'
import { resultModel } from '../../../src/query/result-model.ts'
import type { ModelSource, Row } from '../../../src/source/source.ts'
import { salesOf } from './sales.ts'

const zones = [
  ...['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia'],
  ...['Australia/Lord_Howe', 'America/New_York', 'Asia/Shanghai'],
]

const groupsOn = (field: Field): readonly Grouping[] => [
  ...(kinds[field.kind].comparable ? [{ field: field.name }] : []),
  ...(aggregatedKind(field).parts ?? []).map((part) => ({ field: field.name, part })),
]

const functionsOn = (field: Field): readonly Aggregate[] => {
  const { sum, avg } = aggregatedKind(field)
  return [
    { fn: 'count', field: field.name },
    ...(sum === undefined ? [] : [{ fn: 'sum', field: field.name } as const]),
    ...(avg === undefined ? [] : [{ fn: 'avg', field: field.name } as const]),
    ...(kinds[field.kind].ordered && kinds[field.kind].textual === false
      ? [{ fn: 'min', field: field.name } as const, { fn: 'max', field: field.name } as const]
      : []),
  ]
}

/** A comparison of a column of the result with a value that it has. */
interface Chosen {
  readonly column: number
  readonly row: number
  readonly op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'in'
}

const chosen: fc.Arbitrary<readonly Chosen[]> = fc.array(
  fc.record({
    column: fc.nat({ max: 7 }),
    row: fc.nat({ max: 79 }),
    op: fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'),
  }),
  { maxLength: 3 },
)

const havingOf = (
  parts: readonly Chosen[],
  isAny: boolean,
  rows: readonly Row[],
  { model: { fields }, isSorted }: { readonly model: Model; readonly isSorted: boolean },
): Condition | undefined => {
  const conditions = parts.flatMap(({ column, row, op }): readonly Condition[] => {
    const field = fields[column % fields.length]
    if (field === undefined || rows.length === 0) return []
    const valueAt = (at: number): unknown => {
      const value = rows[at % rows.length]?.[field.name] ?? null
      return typeof value === 'bigint' && field.kind === 'decimal' ? String(value) : value
    }
    const value = valueAt(row)
    if (value === null) return [{ op: row % 2 === 0 ? 'is-null' : 'is-not-null', field: field.name }]
    const { ordered, textual } = kinds[field.kind]
    if (!['in', 'eq', 'ne'].includes(op) && !(ordered && (isSorted || !textual))) return []
    if (op !== 'in') return [{ op, field: field.name, value }]
    const values = [value, ...Array.from({ length: row }, (_, at) => valueAt(at))]
    return [{ op, field: field.name, values: values.filter((one) => one !== null) }]
  })
  if (conditions.length === 0) return undefined
  const joined: Condition = { op: isAny ? 'or' : 'and', conditions }
  return conditions.length === 2 ? { op: 'not', condition: joined } : joined
}

const aggregations = ({
  fields,
}: Model): fc.Arbitrary<Aggregation & { readonly parts: readonly Chosen[]; readonly isAny: boolean }> =>
  fc
    .record({
      groups: fc.uniqueArray(fc.constantFrom(...fields.slice(1).flatMap(groupsOn)), {
        maxLength: 3,
        selector: columnName,
      }),
      aggregates: fc.uniqueArray(fc.constantFrom({ fn: 'count' } as const, ...fields.flatMap(functionsOn)), {
        ...{ minLength: 1, maxLength: 5 },
        selector: columnName,
      }),
      directions: fc.array(fc.constantFrom('asc' as const, 'desc' as const), { minLength: 8, maxLength: 8 }),
      sorted: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
      limit: fc.constantFrom(2, 1000),
      timezone: fc.constantFrom(...zones),
      least: fc.nat({ max: 80 }),
      parts: chosen,
      isAny: fc.boolean(),
    })
    .map(({ groups, aggregates, directions, sorted, limit, timezone, least, parts, isAny }) => {
      const columns = [...groups, ...aggregates].map(columnName)
      const chosen = sorted.map((at) => columns[at % columns.length] ?? '')
      const names = [...new Set([...chosen, ...groups.map(columnName)])]
      return {
        ...{ groups, aggregates, limit, timezone, parts, isAny },
        filter: { op: 'gt', field: 'id', value: least },
        order: names.map((column, at) => ({ column, direction: directions[at] ?? 'asc' })),
      }
    })

const inForm =
  ({ fields }: Model) =>
  (name: string, value: unknown): unknown => {
    const field = fields.find((known) => known.name === name)
    if (field === undefined) return value
    const reading = kinds[field.kind].read(value, field)
    if (!reading.ok) throw new Error(`${name} cannot be ${String(value)}`)
    return reading.value
  }

/** Dates and bigints as text, because `toEqual` does not tell all of them apart. */
const shown = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) =>
    JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? `${value}n` : (value ?? null))),
  )

export const assertAggregates = async (
  source: ModelSource,
  numRuns: number,
  {
    isSorted = true,
    isHeld,
  }: { readonly isSorted?: boolean; readonly isHeld?: (field: string, value: unknown) => boolean } = {},
): Promise<void> => {
  const [model] = source.models
  if (model === undefined) throw new Error((source.notes ?? []).join())
  const store = source.store(model)
  const names = model.fields.map(({ name }) => name)
  for (const row of salesOf(80, names, inForm(model), isHeld)) await store.create(row)
  const selection = { filter: everything, order: [], limit: 1000, offset: 0 }
  const all = await store.list(selection, everything)
  await fc.assert(
    fc.asyncProperty(aggregations(model), async ({ parts, isAny, ...plain }) => {
      const { filter } = plain
      const limit = isSorted ? plain.limit : 1000
      const least = 'value' in filter ? Number(filter.value) : 0
      const rows = all.filter(({ id }) => Number(id) > least)
      const groups = aggregateRows({ ...plain, limit: 1000 }, rows, model)
      const having = havingOf(parts, isAny, groups, { model: resultModel(plain, model), isSorted })
      const aggregation = { ...plain, ...(having && { having }) }
      const expected = shown(aggregateRows({ ...aggregation, limit }, rows, model))
      const found = shown((await store.aggregate?.({ ...aggregation, limit }, everything)) ?? [])
      expect(isSorted ? found : found.toSorted()).toEqual(isSorted ? expected : expected.toSorted())
    }),
    { numRuns },
  )
}
