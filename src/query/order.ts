import { type Field, fieldOf, type Model, type Relation } from '../model/model.ts'
import type { Order } from './ast.ts'

/** The model of the source with this name, served or not. */
export type ModelOf = (name: string) => Model

/** @throws Error for an unknown name, which callers have ruled out */
export const relationOf = ({ name: model, relations }: Model, name: string): Relation => {
  const relation = relations.find((known) => known.name === name)
  if (relation === undefined) throw new Error(`${model} has no relation ${name}`)
  return relation
}

/** Whether no two records have the same values of these fields. */
export const isKeyAmong = (fields: readonly string[], { primaryKey, uniques }: Model): boolean =>
  [primaryKey, ...uniques].some((key) => key.length > 0 && key.every((name) => fields.includes(name)))

/** Whether the database guarantees that there is at most one record at the other end, whose model is `target`. */
export const leadsToOne = ({ kind, references }: Relation, model: Model): boolean =>
  kind === 'to-one' && isKeyAmong(references, model)

/**
 * The field whose values a sort key has. Behind relations it can be null: a record may not have a related record.
 *
 * @throws Error for an unknown name, which callers have ruled out
 */
export const sortField = ({ field, via = [] }: Order, model: Model, modelOf: ModelOf): Field => {
  const last = via.reduce((from, { relation }) => modelOf(relationOf(from, relation).model), model)
  const found = fieldOf(last, field)
  return via.length > 0 && !found.nullable ? { ...found, nullable: true } : found
}
