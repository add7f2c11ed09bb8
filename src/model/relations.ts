import type { Relation } from './model.ts'
import { plural } from './naming.ts'

/** A foreign key of a table, with names of models and fields. */
export interface ForeignKeyFacts {
  readonly fields: readonly string[]
  /** The name of the other model. For a key to a table that has no model, set `foreign` of the fields instead. */
  readonly model: string
  /** Fields of the other model, in the same order. */
  readonly references: readonly string[]
  /** The name of the relation to the other model. @default derived from the fields: `authorId` gives `author` */
  readonly name?: string
  /** The name of the relation from the other model. @default derived from the name of this model: `books` */
  readonly inverse?: string
}

/** The parts of a table that determine its relations. */
interface Related {
  readonly name: string
  readonly fields: readonly { readonly name: string }[]
  readonly foreignKeys?: readonly ForeignKeyFacts[]
}

interface Link {
  readonly owner: Related
  readonly target: Related
  readonly key: ForeignKeyFacts
}

/** To-one on the side of the foreign key, to-many on the other. By the name of the model. */
export const relationsOf = (tables: readonly Related[]): ReadonlyMap<string, readonly Relation[]> => {
  const taken = new Map(
    tables.map(({ name, fields }) => [name, new Set(fields.map((field) => field.name))] as const),
  )
  const take = ({ name: model }: Related, candidates: readonly string[]): string => {
    const names = taken.get(model) ?? new Set()
    const name = freeName(candidates, names)
    names.add(name)
    return name
  }
  const links = linksOf(tables)
  const linksBetween = Map.groupBy(links, pairOf)
  const named = links
    .map((link) => ({ link, toOne: take(link.owner, toOneNames(link)) }))
    .map(({ link, toOne }) => {
      const isOnly = linksBetween.get(pairOf(link))?.length === 1
      return { ...link, toOne, toMany: take(link.target, toManyNames(link, toOne, isOnly)) }
    })
  const relations = new Map(tables.map(({ name }): [string, Relation[]] => [name, []]))
  const add = ({ name: model }: Related, relation: Relation): void => {
    relations.get(model)?.push(Object.freeze(relation))
  }
  for (const { owner, target, key, toOne, toMany } of named) {
    const { fields, references } = key
    add(owner, { name: toOne, kind: 'to-one', model: target.name, fields, references, inverse: toMany })
  }
  for (const { owner, target, key, toOne, toMany } of named) {
    const { fields: references, references: fields } = key
    add(target, { name: toMany, kind: 'to-many', model: owner.name, fields, references, inverse: toOne })
  }
  return relations
}

const pairOf = ({ owner, target }: Link): string => `${owner.name} ${target.name}`

const linksOf = (tables: readonly Related[]): readonly Link[] => {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const links = tables.flatMap((owner) =>
    (owner.foreignKeys ?? []).flatMap((key) => {
      const target = byName.get(key.model)
      return target === undefined ? [] : [{ owner, target, key }]
    }),
  )
  const nameOf = (link: Link) => `${pairOf(link)} ${link.key.fields} ${link.key.references}`
  return [...new Map(links.map((link) => [nameOf(link), link])).values()]
}

/** `authorId` becomes `author`. If that is taken, or the key has several fields: the model's name, then both. */
const toOneNames = ({ target, key }: Link): readonly string[] => {
  if (key.name !== undefined) return [key.name]
  const [first = ''] = key.fields
  const stem = first.replace(/(?<=.)(_id|_ID|Id|ID)$/, '')
  const model = uncapital(target.name)
  return key.fields.length === 1 ? [stem, model, stem + target.name] : [model, stem + target.name]
}

/** `books`; with several keys between the two models, prefixed by the name of the to-one: `translatorBooks`. */
const toManyNames = ({ owner, key }: Link, toOneName: string, isOnly: boolean): readonly string[] => {
  if (key.inverse !== undefined) return [key.inverse]
  const many = plural(owner.name)
  const full = toOneName + many
  return isOnly ? [uncapital(many), full] : [full]
}

const freeName = (candidates: readonly string[], taken: ReadonlySet<string>): string => {
  const free = candidates.find((name) => !taken.has(name))
  if (free !== undefined) return free
  const fallback = candidates.at(-1) ?? ''
  let number = 2
  while (taken.has(`${fallback}${number}`)) number++
  return `${fallback}${number}`
}

const uncapital = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)
