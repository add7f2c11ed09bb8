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
  const links = linksOf(drafts)
  const relations = new Map(drafts.map((draft) => [draft, relationList(draft)]))
  const named = links.map((link) => ({
    link,
    name: relations.get(link.owner)?.add(toOneNames(link), toOne(link)) ?? '',
  }))
  const keysBetween = countOf(links.map(pairOf))
  for (const { link, name } of named) {
    const alone = keysBetween.get(pairOf(link)) === 1
    relations.get(link.target)?.add(toManyNames(link, name, alone), toMany(link))
  }
  return new Map([...relations].map(([draft, { list }]) => [draft, list]))
}

const countOf = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const pairOf = ({ owner, target }: Link): string => `${owner.name} ${target.name}`

/** Relations as they come, each with the first name that neither a field nor another one has. */
const relationList = ({ fields }: Draft) => {
  const taken = new Set(fields.map(({ name }) => name))
  const list: Relation[] = []
  const add = (candidates: readonly string[], relation: Omit<Relation, 'name'>): string => {
    const name = freeName(candidates, taken)
    taken.add(name)
    list.push(Object.freeze({ name, ...relation }))
    return name
  }
  return { list, add }
}

const linksOf = (drafts: readonly Draft[]): readonly Link[] => {
  const byTable = new Map<Draft['table'], Draft>(drafts.toReversed().map((draft) => [draft.table, draft]))
  const links = drafts.flatMap((owner) =>
    owner.foreignKeys.flatMap((key) => {
      const target = byTable.get(key.table)
      return target === undefined ? [] : [{ owner, target, key }]
    }),
  )
  const nameOf = (link: Link) => `${pairOf(link)} ${link.key.fields} ${link.key.references}`
  return [...new Map(links.map((link) => [nameOf(link), link])).values()]
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
const toManyNames = ({ owner }: Link, toOneName: string, alone: boolean): readonly string[] => {
  const many = plural(owner.name)
  const full = toOneName + many
  return alone ? [uncapital(many), full] : [full]
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
