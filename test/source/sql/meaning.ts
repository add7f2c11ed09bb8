import type { Model, Relation } from '../../../src/model/model.ts'
import { type Condition, everything, type Hop, type Order } from '../../../src/query/ast.ts'
import { compareValues, holds } from '../../../src/query/evaluate.ts'
import type { Row } from '../../../src/source/source.ts'

/** The records of all models, and what is asked of them in plain code. */
export interface Meaning {
  readonly models: readonly Model[]
  rowsOf(model: string): readonly Row[]
}

export const modelIn = ({ models }: Pick<Meaning, 'models'>, name: string): Model => {
  const model = models.find((known) => known.name === name)
  if (model === undefined) throw new Error(`No model ${name}.`)
  return model
}

export const relationIn = ({ name: model, relations }: Model, name: string): Relation => {
  const relation = relations.find((known) => known.name === name)
  if (relation === undefined) throw new Error(`${model} has no relation ${name}.`)
  return relation
}

/** Whether a record has the values, which are in the form of the fields. Null is not the same as null. */
const has = (model: Model, row: Row, names: readonly string[], values: readonly unknown[]): boolean =>
  names.every((name, at) => {
    const kind = model.fields.find((field) => field.name === name)?.kind ?? 'text'
    const [stored, value] = [row[name], values[at]]
    return stored !== null && value !== null && compareValues(stored, value, { kind }) === 0
  })

const valuesOf = (row: Row, names: readonly string[]): readonly unknown[] => names.map((name) => row[name])

export const relatedRows = (
  all: Meaning,
  row: Row,
  relation: Relation,
  link: Condition = everything,
): readonly Row[] => {
  const { fields, references, through } = relation
  const target = modelIn(all, relation.model)
  const own = valuesOf(row, fields)
  if (through === undefined)
    return all.rowsOf(target.name).filter((other) => has(target, other, references, own))
  const join = modelIn(all, through.model)
  const links = all
    .rowsOf(join.name)
    .filter((each) => has(join, each, through.fields, own) && meets(all, join, each, link))
  return all
    .rowsOf(target.name)
    .filter((other) =>
      links.some((each) => has(target, other, references, valuesOf(each, through.references))),
    )
}

export const meets = (all: Meaning, model: Model, row: Row, condition: Condition): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((inner) => meets(all, model, row, inner))
    case 'or':
      return condition.conditions.some((inner) => meets(all, model, row, inner))
    case 'not':
      return !meets(all, model, row, condition.condition)
    case 'related': {
      const relation = relationIn(model, condition.relation)
      const target = modelIn(all, relation.model)
      return relatedRows(all, row, relation, condition.link).some((other) =>
        meets(all, target, other, condition.condition),
      )
    }
    default:
      return holds(condition, row, { model })
  }
}

const sortValue = (all: Meaning, model: Model, row: Row, { field, via = [] }: Order): unknown => {
  let [at, found]: [Model, Row | undefined] = [model, row]
  for (const { relation, guard = everything } of via as readonly Hop[]) {
    const step = relationIn(at, relation)
    at = modelIn(all, step.model)
    found = found && relatedRows(all, found, step).find((other) => meets(all, at, other, guard))
  }
  return found?.[field] ?? null
}

const kindOf = (all: Meaning, model: Model, { field, via = [] }: Order) => {
  const last = via.reduce((at, { relation }) => modelIn(all, relationIn(at, relation).model), model)
  return last.fields.find(({ name }) => name === field)?.kind ?? 'text'
}

/** As the collations of all databases sort the texts of the company. */
const regardlessOfCase = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase() : value

/** Nulls are the largest value. */
export const byOrder =
  (all: Meaning, model: Model, order: readonly Order[]) =>
  (left: Row, right: Row): number => {
    for (const key of order) {
      const [a, b] = [sortValue(all, model, left, key), sortValue(all, model, right, key)]
      const compared =
        a === null || b === null
          ? Number(a === null) - Number(b === null)
          : compareValues(regardlessOfCase(a), regardlessOfCase(b), { kind: kindOf(all, model, key) })
      if (compared !== 0) return key.direction === 'asc' ? compared : -compared
    }
    return 0
  }

export const sortValuesOf = (all: Meaning, model: Model, row: Row, order: readonly Order[]) =>
  order.map((key) => sortValue(all, model, row, key))
