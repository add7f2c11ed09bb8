import type { Relation } from '../../model/model.ts'
import { plural } from '../../model/naming.ts'
import type { Draft } from './draft.ts'
import type { ForeignKey } from './read-table.ts'

interface Link {
  readonly owner: Draft
  readonly target: Draft
  readonly key: ForeignKey
}

/**
 * The relations of each model: to-one where the foreign key is, to-many on the other side. A key to a table that was not
 * given has none.
 */
export const relationsOf = (drafts: readonly Draft[]): ReadonlyMap<Draft, readonly Relation[]> => {
  const links = drafts.flatMap((owner) => linksOf(owner, drafts))
  const relations = new Map<Draft, readonly Relation[]>(drafts.map((draft) => [draft, []]))
  const add = (draft: Draft, candidates: readonly string[], relation: Omit<Relation, 'name'>): string => {
    const others = relations.get(draft) ?? []
    const taken = [...draft.fields, ...others].map(({ name }) => name)
    const name = freeName(candidates, taken)
    relations.set(draft, [...others, Object.freeze({ name, ...relation })])
    return name
  }
  const named = links.map((link) => ({ link, name: add(link.owner, toOneNames(link), toOne(link)) }))
  for (const { link, name } of named) add(link.target, toManyNames(link, name, links), toMany(link))
  return relations
}

const linksOf = (owner: Draft, drafts: readonly Draft[]): readonly Link[] => {
  const links = new Map<string, Link>()
  for (const key of owner.foreignKeys) {
    const target = drafts.find(({ table }) => table === key.table)
    if (target !== undefined)
      links.set(`${key.fields} ${target.name} ${key.references}`, { owner, target, key })
  }
  return [...links.values()]
}

const toOne = ({ target, key }: Link): Omit<Relation, 'name'> => ({
  kind: 'to-one',
  model: target.name,
  fields: Object.freeze([...key.fields]),
  references: Object.freeze([...key.references]),
})

const toMany = ({ owner, key }: Link): Omit<Relation, 'name'> => ({
  kind: 'to-many',
  model: owner.name,
  fields: Object.freeze([...key.references]),
  references: Object.freeze([...key.fields]),
})

/** `authorId` is `author`; where that is taken or there are several fields, the model's name, then both. */
const toOneNames = ({ target, key }: Link): readonly string[] => {
  const [first = ''] = key.fields
  const stem = first.replace(/(?<=.)(_id|_ID|Id|ID)$/, '')
  const model = uncapital(target.name)
  return key.fields.length === 1 ? [stem, model, stem + target.name] : [model, stem + target.name]
}

/** `books`; with several keys between the two models, the name of the to-one in front: `translatorBooks`. */
const toManyNames = (
  { owner, target }: Link,
  toOneName: string,
  links: readonly Link[],
): readonly string[] => {
  const between = links.filter((link) => link.owner === owner && link.target === target)
  const many = plural(owner.name)
  const full = toOneName + many
  return between.length === 1 ? [uncapital(many), full] : [full]
}

const freeName = (candidates: readonly string[], taken: readonly string[]): string => {
  const [fallback = ''] = candidates.slice(-1)
  const numbered = taken.map((_, index) => `${fallback}${index + 2}`)
  return [...candidates, ...numbered].find((name) => !taken.includes(name)) ?? fallback
}

const uncapital = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)
