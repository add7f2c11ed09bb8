import { acrossName, isRelated, type Link, type Passage, type RelatedTable, sorted } from '../foreign-keys.ts'
import { type CaseStyle, caseStyleOf, joinedIn, plural, wordsOf } from '../naming.ts'

/** The names that the query language can write. */
export const relationName: RegExp = /^[A-Za-z][A-Za-z0-9_]*$/

/** Names that differ only in naming style, such as camelCase and snake_case, are the same in a generated client. */
export const plainName = (name: string): string => wordsOf(name).join(' ') || name

interface RelationNames {
  /** The name of a foreign key's relation to the other model. */
  readonly toOne: ReadonlyMap<Link, string>
  /** The name of the relation from the other model. */
  readonly toMany: ReadonlyMap<Link, string>
  readonly through: ReadonlyMap<Passage, string>
}

/**
 * The names of all relations of a source. No two of a model are the same, nor the same as a field. Names of the source come
 * first, then those of foreign keys, then those of the other sides, so that a new join table does not change other names.
 */
export const relationNames = (
  tables: readonly RelatedTable[],
  links: readonly Link[],
  passages: readonly Passage[],
): RelationNames => {
  const taken = new Map(
    tables.map(({ name, fields }) => [name, new Set(fields.map((field) => plainName(field.name)))] as const),
  )
  const takenIn = ({ name }: RelatedTable): Set<string> => taken.get(name) ?? new Set()
  const toOne = new Map<Link, string>()
  const toMany = new Map<Link, string>()
  const through = new Map<Passage, string>()
  const take = <Of>(
    names: Map<Of, string>,
    of: Of,
    table: RelatedTable,
    candidates: readonly string[],
  ): void => {
    const name = freeName(candidates, takenIn(table))
    names.set(of, name)
    takenIn(table).add(plainName(name))
  }
  const takeOwn = <Of>(
    names: Map<Of, string>,
    of: Of,
    table: RelatedTable,
    own: string | undefined,
  ): void => {
    if (own === undefined || !relationName.test(own) || takenIn(table).has(plainName(own))) return
    take(names, of, table, [own])
  }

  const sortedLinks = sorted(links)
  for (const link of sortedLinks) {
    takeOwn(toOne, link, link.owner, link.key.name)
    if (isRelated(link)) takeOwn(toMany, link, link.target, link.key.inverse)
  }
  for (const passage of passages)
    takeOwn(through, passage, passage.near.target, acrossName(passage.near.key, passage.far.key))
  for (const link of links) if (!toOne.has(link)) take(toOne, link, link.owner, toOneNames(link))
  const nameOf = (link: Link): string => toOne.get(link) ?? ''
  const linksBetween = countsOf(links, pairOf)
  for (const link of sortedLinks.filter(isRelated)) {
    if (toMany.has(link)) continue
    const isOnly = linksBetween.get(pairOf(link)) === 1
    take(toMany, link, link.target, toManyNames(link, nameOf(link), isOnly))
  }
  const pairOfEnds = ({ near, far }: Passage): string => `${near.target.name} ${far.target.name}`
  const roleOf = (passage: Passage): string => `${passage.near.target.name} ${nameOf(passage.far)}`
  const [passagesBetween, roles] = [countsOf(passages, pairOfEnds), countsOf(passages, roleOf)]
  for (const passage of passages) {
    if (through.has(passage)) continue
    const isOnly = passagesBetween.get(pairOfEnds(passage)) === 1
    const hasRole = roles.get(roleOf(passage)) === 1
    const names = throughNames(passage, nameOf(passage.far), { isOnly, hasRole })
    take(through, passage, passage.near.target, names)
  }
  return { toOne, toMany, through }
}

/** `authorId` becomes `author`. If that is taken, or the key has several fields: the model's name, then both. */
const toOneNames = ({ target, key }: Link): readonly string[] => {
  const [first = ''] = key.fields
  const stem = first.replace(/(?<=.)(_id|_ID|Id|ID)$/, '')
  const model = target.name.slice(0, 1).toLowerCase() + target.name.slice(1)
  return key.fields.length === 1 ? [stem, model, stem + target.name] : [model, stem + target.name]
}

/** `books`; with several keys between the two models, prefixed by the name of the to-one: `translatorBooks`. */
const toManyNames = ({ owner, target }: Link, toOneName: string, isOnly: boolean): readonly string[] => {
  const style = styleIn(target, owner)
  const many = plural(owner.name)
  const full = joinedIn(style, toOneName, many)
  return isOnly ? [joinedIn(style, many), full] : [full]
}

/**
 * `tags`. If several join tables lead to the other model, or one does twice: the plural of what the model is there, such as
 * `followers` or `editors`. If that is ambiguous too, prefixed by the join table: `productLabelTags`.
 */
const throughNames = (
  { near, far }: Passage,
  farName: string,
  { isOnly, hasRole }: Readonly<Record<'isOnly' | 'hasRole', boolean>>,
): readonly string[] => {
  const style = styleIn(near.target, far.target)
  const role = plural(joinedIn('camel', farName))
  return [
    ...(isOnly ? [joinedIn(style, plural(far.target.name))] : []),
    ...(hasRole ? [joinedIn(style, role)] : []),
    joinedIn(style, near.owner.name, role),
  ]
}

/** Names of a single word do not tell the style, so another model may. */
const styleIn = (...tables: readonly RelatedTable[]): CaseStyle => {
  const styles = tables.map(({ fields }) => caseStyleOf(fields.map(({ name }) => name)))
  return styles.find((style) => style !== undefined) ?? 'camel'
}

const freeName = (candidates: readonly string[], taken: ReadonlySet<string>): string => {
  const isFree = (name: string): boolean => !taken.has(plainName(name))
  const free = candidates.find(isFree)
  if (free !== undefined) return free
  const fallback = candidates.at(-1) ?? ''
  let number = 2
  while (!isFree(`${fallback}${number}`)) number++
  return `${fallback}${number}`
}

const pairOf = ({ owner, target }: Link): string => `${owner.name} ${target.name}`

const countsOf = <Of>(all: readonly Of[], groupOf: (of: Of) => string): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(all, groupOf)].map(([group, { length }]) => [group, length]))
