import { type Field, fieldOf, type Model } from '../model/model.ts'
import { AVERAGE_DIGITS, aggregatedKind } from './aggregate-kinds.ts'
import { type Aggregate, type Aggregation, columnName, type Grouping } from './ast.ts'
import { queryFields } from './fields.ts'

/** The columns of the result of an aggregation as the fields of a model, so that conditions can be about them. */
export const resultModel = (
  { groups, aggregates }: Pick<Aggregation, 'groups' | 'aggregates'>,
  model: Model,
): Model => {
  const columns = [...groups, ...aggregates]
  const { byName } = queryFields(model)
  const isTextKey = ({ field = '' }: Grouping | Aggregate): boolean => {
    const { row, contains } = byName.get(field) ?? {}
    return row?.textual === true && contains === false
  }
  return Object.freeze<Model>({
    ...model,
    fields: columns.map((column) => Object.freeze(resultField(column, model))),
    // As in conditions on records, the text of a key is compared as a whole.
    primaryKey: columns.filter(isTextKey).map(columnName),
    relations: [],
  })
}

const resultField = (column: Grouping | Aggregate, model: Model): Field => {
  const name = columnName(column)
  const { fn, part } = { fn: undefined, part: undefined, ...column }
  const field = column.field === undefined ? undefined : fieldOf(model, column.field)
  if (field === undefined || fn === 'count' || fn === 'count_distinct')
    return computed(name, { kind: 'integer' })
  if (part !== undefined) return computed(name, { kind: 'text' })
  if (fn !== 'sum' && fn !== 'avg') return { ...field, name, nullable: true }
  if (aggregatedKind(field).avg === 'float') return computed(name, { kind: 'float' })
  const { scale } = { scale: field.kind === 'decimal' ? undefined : 0, ...field }
  const digits = scale && Math.max(scale, 0)
  const all = digits === undefined ? {} : { scale: fn === 'avg' ? digits + AVERAGE_DIGITS : digits }
  return computed(name, { kind: 'decimal', ...all })
}

const computed = (name: string, facts: Pick<Field, 'kind' | 'scale'>): Field => ({
  ...{ name, nullable: true, hasDefault: false, generated: true, optional: true, access: 'read-only' },
  form: facts.kind === 'integer' || facts.kind === 'float' ? 'number' : 'string',
  ...facts,
})
