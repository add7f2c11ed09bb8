import type { Model, Relation } from './model.ts'

/** A foreign key of a table, with names of models and fields. */
export interface ForeignKeyFacts {
  readonly fields: readonly string[]
  /** The name of the other model. For a key to a table that has no model, set `foreign` of the fields instead. */
  readonly model: string
  /** Fields of the other model, in the same order. */
  readonly references: readonly string[]
  /**
   * The name of the relation to the other model. Not used if a field or another relation has the name, or if it has other
   * characters than letters, digits and `_`.
   *
   * @default derived from the fields: `authorId` gives `author`
   */
  readonly name?: string
  /** The name of the relation from the other model. @default derived from the name of this model: `books` */
  readonly inverse?: string
  /**
   * The relations from the other model across this table, each with the fields of the key at its other end. A table whose primary
   * key consists of two foreign keys joins their models without it.
   *
   * @default derived from the third model: `tags`
   */
  readonly across?: readonly { readonly name: string; readonly fields: readonly string[] }[]
  /**
   * The database does not check it, because no foreign key constraint exists. It becomes a relation, but not a foreign key:
   * values may refer to missing records.
   */
  readonly unchecked?: true
  /**
   * Another key of the same fields says which records they may refer to, of a class that this one inherits from or that inherits
   * from it, in the same table. Only records of this model get the relation from the other side.
   */
  readonly inherited?: true
}

/** The parts of a table that determine its relations. */
export interface RelatedTable {
  readonly name: string
  readonly fields: readonly { readonly name: string }[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys?: readonly ForeignKeyFacts[]
}

/** A foreign key with both of its tables. */
export interface Link {
  readonly owner: RelatedTable
  readonly target: RelatedTable
  readonly key: ForeignKeyFacts
}

/** A join table as the model at the end of `near` sees it: its records lead to those at the end of `far`. */
export interface Passage {
  readonly near: Link
  readonly far: Link
}

/** Whether its records are related ones of others: without a key, nothing gives them an order. */
export const isRelated = ({ owner }: Link): boolean => owner.primaryKey.length > 0

/** The foreign keys to tables that have a model with a key, each once. Those that are inherited come last, so that others keep their names. */
export const linksOf = (tables: readonly RelatedTable[]): readonly Link[] => {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const links = tables.flatMap((owner) =>
    (owner.foreignKeys ?? []).flatMap((key) => {
      const target = byName.get(key.model)
      return target === undefined || target.primaryKey.length === 0 ? [] : [{ owner, target, key }]
    }),
  )
  return inheritedLast([...new Map(links.map((link) => [idOf(link), link])).values()])
}

const inheritedLast = (links: readonly Link[]): readonly Link[] => [
  ...links.filter(({ key }) => key.inherited === undefined),
  ...links.filter(({ key }) => key.inherited === true),
]

/** In an order of their own, because that of the tables may change. */
export const sorted = (links: readonly Link[]): readonly Link[] =>
  inheritedLast(links.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1)))

/** Distinct for each foreign key. */
const idOf = ({ owner, target, key }: Link): string =>
  `${owner.name} ${target.name} ${key.fields} ${key.references}`

/** The join tables, each from both sides: two foreign keys are the primary key of such a table, or its source says so. */
export const joinsOf = (links: readonly Link[]): readonly (readonly [Passage, Passage])[] =>
  [...Map.groupBy(links, ({ owner }) => owner).entries()].flatMap(([{ primaryKey }, keys]) =>
    keys.flatMap((near, place) =>
      keys
        .slice(place + 1)
        .filter((far) => isJoin(near, far, primaryKey))
        .map(
          (far) =>
            [
              { near, far },
              { near: far, far: near },
            ] as const,
        ),
    ),
  )

const isJoin = ({ key: near }: Link, { key: far }: Link, primaryKey: readonly string[]): boolean => {
  // Two keys of the same fields lead to classes of one table.
  if (near.fields.join() === far.fields.join()) return false
  if (leadsTo(near, far) || leadsTo(far, near)) return true
  // A key of all fields is that of a record with more facts about another one.
  const isPart = ({ fields }: ForeignKeyFacts): boolean =>
    fields.every((name) => primaryKey.includes(name)) && new Set(fields).size < primaryKey.length
  return isPart(near) && isPart(far) && new Set([...near.fields, ...far.fields]).size === primaryKey.length
}

const leadsTo = (near: ForeignKeyFacts, far: ForeignKeyFacts): boolean => acrossName(near, far) !== undefined

/** The name that a source gives to the relation across a join table. */
export const acrossName = ({ across = [] }: ForeignKeyFacts, far: ForeignKeyFacts): string | undefined =>
  across.find(({ fields }) => fields.join() === far.fields.join())?.name

/** Whether a join table may join the same two records more than once: nothing in it is unique for them. */
export const mayJoinTwice = (
  { primaryKey, uniques }: Pick<Model, 'primaryKey' | 'uniques'>,
  { fields, references }: NonNullable<Relation['through']>,
): boolean =>
  ![primaryKey, ...uniques].some((unique) =>
    unique.every((name) => fields.includes(name) || references.includes(name)),
  )
