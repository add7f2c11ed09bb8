import type { Model, Relation } from '../model/model.ts'

/** The relation of a join table to the model at one of its ends. @param fields those of the join table */
export const relationToEnd = (join: Model, fields: readonly string[], end: string): Relation =>
  found(
    join.relations.find(
      (relation) => relation.kind === 'to-one' && relation.model === end && same(relation.fields, fields),
    ),
    join,
  )

/** The relation of a model to the join table. @param references the fields of the join table */
export const relationToJoin = (
  end: Model,
  fields: readonly string[],
  join: string,
  references: readonly string[],
): Relation =>
  found(
    end.relations.find(
      (relation) =>
        relation.through === undefined &&
        relation.model === join &&
        same(relation.references, references) &&
        same(relation.fields, fields),
    ),
    end,
  )

const found = (relation: Relation | undefined, { name }: Model): Relation => {
  if (relation === undefined) throw new Error(`${name} has no relation to or from its join table.`)
  return relation
}

const same = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join()
