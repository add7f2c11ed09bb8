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
  /** If this table joins two models: the name of the relation from the other model across it. @default derived from the third model: `tags` */
  readonly across?: string
  /**
   * The database does not check it, because no foreign key constraint exists. It becomes a relation, but not a foreign key:
   * values may refer to missing records.
   */
  readonly unchecked?: true
}

/** The parts of a table that determine its relations. */
export interface Related {
  readonly name: string
  readonly fields: readonly { readonly name: string }[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys?: readonly ForeignKeyFacts[]
}

/** A foreign key with both of its tables. */
export interface Link {
  readonly owner: Related
  readonly target: Related
  readonly key: ForeignKeyFacts
}

/** A join table as the model at the end of `near` sees it: its records lead to those at the end of `far`. */
export interface Passage {
  readonly near: Link
  readonly far: Link
}

/** The foreign keys to tables that have a model, each once. */
export const linksOf = (tables: readonly Related[]): readonly Link[] => {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const links = tables.flatMap((owner) =>
    (owner.foreignKeys ?? []).flatMap((key) => {
      const target = byName.get(key.model)
      return target === undefined ? [] : [{ owner, target, key }]
    }),
  )
  return [...new Map(links.map((link) => [idOf(link), link])).values()]
}

/** In an order of their own, because that of the tables may change. */
export const sorted = (links: readonly Link[]): readonly Link[] =>
  links.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))

/** Distinct for each foreign key. */
const idOf = ({ owner, target, key }: Link): string =>
  `${owner.name} ${target.name} ${key.fields} ${key.references}`

/** The join tables, each from both sides. The primary key of such a table consists of two foreign keys. */
export const joinsOf = (links: readonly Link[]): readonly (readonly [Passage, Passage])[] =>
  [...Map.groupBy(links, ({ owner }) => owner).entries()].flatMap(([{ primaryKey }, keys]) => {
    // A key of all fields is that of a record with more facts about another one.
    const parts = keys.filter(({ key: { fields } }) => {
      const own = new Set(fields)
      return fields.every((name) => primaryKey.includes(name)) && own.size < primaryKey.length
    })
    return parts.flatMap((near, place) =>
      parts
        .slice(place + 1)
        .filter((far) => new Set([...near.key.fields, ...far.key.fields]).size === primaryKey.length)
        .map(
          (far) =>
            [
              { near, far },
              { near: far, far: near },
            ] as const,
        ),
    )
  })
