import {
  type ForeignKeyFacts,
  isRelated,
  joinsOf,
  type Link,
  linksOf,
  type Passage,
  type RelatedTable,
  sorted,
} from '../foreign-keys.ts'
import type { Relation } from '../model.ts'
import { relationNames } from './relation-names.ts'

/**
 * The relations of each model, by its name: to-one on the side of a foreign key, to-many on the other, and to-many on both
 * sides of a join table. Their names do not depend on the order of the tables.
 */
export const relationsOf = (tables: readonly RelatedTable[]): ReadonlyMap<string, readonly Relation[]> => {
  const links = linksOf(tables)
  const joins = joinsOf(sorted(links))
  const names = relationNames(tables, links, joins.flat())
  const toOne = (link: Link): string => names.toOne.get(link) ?? ''
  const toMany = (link: Link): string => names.toMany.get(link) ?? ''
  const through = (passage: Passage): string => names.through.get(passage) ?? ''
  const relations = new Map(tables.map(({ name }): [string, Relation[]] => [name, []]))
  const add = ({ name: model }: RelatedTable, relation: Relation): void => {
    relations.get(model)?.push(Object.freeze(relation))
  }
  for (const link of links) add(link.owner, toOneOf(link, toOne(link), toMany(link)))
  for (const link of links.filter(isRelated)) add(link.target, toManyOf(link, toMany(link), toOne(link)))
  for (const [one, other] of joins) {
    add(one.near.target, throughOf(one, through(one), through(other)))
    add(other.near.target, throughOf(other, through(other), through(one)))
  }
  return relations
}

const toOneOf = ({ target, key }: Link, name: string, inverse: string): Relation => {
  const { fields, references } = key
  return {
    name,
    kind: 'to-one',
    model: target.name,
    fields,
    references,
    inverse,
    ...markOf(key),
    ...closedOf(key),
  }
}

const toManyOf = ({ owner, key }: Link, name: string, inverse: string): Relation => {
  const { fields: references, references: fields } = key
  return { name, kind: 'to-many', model: owner.name, fields, references, inverse, ...markOf(key) }
}

const markOf = ({ unchecked, inherited }: ForeignKeyFacts): Pick<Relation, 'unchecked'> =>
  unchecked === true || inherited === true ? { unchecked: true } : {}

/** Clients use the relation to the class that the key is for. */
const closedOf = ({ inherited }: ForeignKeyFacts): Pick<Relation, 'closed' | 'inherited'> =>
  inherited === true ? { closed: true, inherited } : {}

const throughOf = ({ near, far }: Passage, name: string, inverse: string): Relation => {
  const { references: fields, fields: ownFields } = near.key
  const { references, fields: otherFields } = far.key
  const through = Object.freeze({ model: near.owner.name, fields: ownFields, references: otherFields })
  return {
    name,
    kind: 'to-many',
    model: far.target.name,
    fields,
    references,
    inverse,
    through,
    ...closedOf(far.key),
  }
}
