import {
  type Condition,
  type Evaluation,
  everything,
  holds,
  type Model,
  type RelatedRow,
  type RelatedTo,
  type Row,
} from '../entry/source.ts'

/** The records that the relations of a memory source connect. */
export interface RelatedRecords {
  modelOf(name: string): Model
  rowsOf(model: Model): readonly Row[]
  readonly unicodeCaseFolding: boolean
}

/** How conditions on records of a model are evaluated, also those on related records. */
export const evaluationIn = (records: RelatedRecords, model: Model): Evaluation => ({
  model,
  unicodeCaseFolding: records.unicodeCaseFolding,
  related: (row, relation) => relatedRows(records, model, relation, row),
})

/** The related records of a record that meet the conditions. No two are the same. */
export const rowsRelatedTo = (
  records: RelatedRecords,
  model: Model,
  { relation: name, guard, link = everything }: Omit<RelatedTo, 'records'>,
  { values, filter }: { readonly values: readonly unknown[]; readonly filter: Condition },
): readonly Row[] => {
  const { fields } = relationIn(model, name)
  const row = Object.fromEntries(fields.map((field, at) => [field, values[at]]))
  const found = relatedRows(records, model, name, row).filter((each) => {
    const isLinked = each.link === undefined || holds(link, each.link.row, each.link.by)
    return isLinked && holds(guard, each.row, each.by) && holds(filter, each.row, each.by)
  })
  return [...new Set(found.map((each) => each.row))]
}

const relationIn = (model: Model, name: string) => {
  const relation = model.relations.find((known) => known.name === name)
  if (relation === undefined) throw new Error(`${model.name} has no relation ${name}.`)
  return relation
}

const relatedRows = (
  records: RelatedRecords,
  model: Model,
  name: string,
  row: Row,
): readonly RelatedRow[] => {
  const { fields, references, through, ...relation } = relationIn(model, name)
  const target = records.modelOf(relation.model)
  const by = evaluationIn(records, target)
  const own = valuesOf(row, fields)
  if (through === undefined)
    return withValues(records, target, references, own).map((found) => ({ row: found, by }))
  const join = records.modelOf(through.model)
  const linkBy = evaluationIn(records, join)
  return withValues(records, join, through.fields, own).flatMap((linked) =>
    withValues(records, target, references, valuesOf(linked, through.references)).map((found) => ({
      ...{ row: found, by },
      link: { row: linked, by: linkBy },
    })),
  )
}

/** The records that have these values. Null equals no value. */
export const withValues = (
  { rowsOf }: Pick<RelatedRecords, 'rowsOf'>,
  model: Model,
  fields: readonly string[],
  values: readonly unknown[],
): readonly Row[] => {
  const conditions = fields.map((field, at) => ({ op: 'eq', field, value: values[at] }) as const)
  const condition: Condition = { op: 'and', conditions }
  return rowsOf(model).filter((row) => holds(condition, row, { model }))
}

export const valuesOf = (row: Row, names: readonly string[]): readonly unknown[] =>
  names.map((name) => row[name])
