import { StartError } from '../../error/errors.ts'
import type { Field, Model, Relation } from '../../model/model.ts'
import { pathOf, plural, wordsOf } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import type { ForeignKey } from './constraints.ts'
import { type Draft, draftOf } from './describe-table.ts'
import { columnReader } from './read-columns.ts'
import { type ColumnKinds, statedColumns } from './stated-columns.ts'
import {
  assertDistinct,
  assertTables,
  type DescribedTable,
  givenTables,
  isMigrationTable,
  type ModelNames,
  nameOf,
  PROTOTYPE,
  prototypeField,
  type Tables,
} from './tables.ts'

/** Omits what cannot be served, with a line in `notes`. @throws StartError */
export const describeTables = (
  tables: Tables,
  names: ModelNames = {},
  columns: ColumnKinds = {},
): { readonly tables: readonly DescribedTable[]; readonly notes: readonly string[] } => {
  const given = givenTables(tables)
  assertTables(given, names, 'names')
  const stated = statedColumns(given, columns)
  const readers = { sqlite: columnReader('sqlite'), pg: columnReader('pg'), mysql: columnReader('mysql') }
  const drafts: Draft[] = []
  const skipped: string[] = []
  for (const table of given) {
    const { app, key, dialect } = table
    const name = nameOf(table, names)
    const statedHere = stated(table)
    const draft =
      dialect === undefined
        ? 'its dialect is not SQLite, PostgreSQL or MySQL'
        : draftOf(table, name, dialect, (field, column) => readers[dialect](column, statedHere.get(field)))
    if (typeof draft === 'string') skipped.push(`${app}.${key} is skipped: ${draft}.`)
    else if (!drafts.some((other) => isSameModel(draft, other))) drafts.push(draft)
  }
  assertDistinct(drafts)
  for (const draft of drafts) assertNames(draft)
  const relations = relationsOf(drafts)
  return Object.freeze({
    tables: Object.freeze(drafts.map((draft) => described(draft, relations.get(draft) ?? []))),
    notes: Object.freeze([...skipped, ...drafts.flatMap(notesOn)]),
  })
}

/** A module may export a table twice, with names that result in the same model. */
const isSameModel = (one: Draft, other: Draft): boolean =>
  one.name === other.name && one.table === other.table && one.given.app === other.given.app

/** Generated clients convert names to the case style of their language, so they cannot have both. */
const assertNames = ({ name, fields }: Draft): void => {
  const plain = new Map<string, string>()
  for (const field of fields) {
    if (field.name === PROTOTYPE) throw prototypeField(name)
    const key = wordsOf(field.name).join(' ')
    const other = plain.get(key)
    if (other !== undefined) {
      throw new StartError(
        `${name}: the fields ${other} and ${field.name} differ only in naming style, such as camelCase and snake_case, so generated clients cannot have both. Rename one key in the table and keep the column name: text('${field.name}').`,
      )
    }
    plain.set(key, field.name)
  }
}

const described = (draft: Draft, relations: readonly Relation[]): DescribedTable => {
  const model: Model = {
    name: draft.name,
    app: draft.given.app,
    path: pathOf(draft.name),
    fields: Object.freeze([...draft.fields]),
    primaryKey: Object.freeze([...draft.primaryKey]),
    uniques: Object.freeze(draft.uniques.map((fields) => Object.freeze([...fields]))),
    relations: Object.freeze([...relations]),
    readOnly: draft.readOnly,
    ...(isMigrationTable(draft.table) && { internal: true as const }),
    deprecated: false,
    count: Object.freeze({ allowed: Object.freeze(['exact', 'estimated', 'none'] as const) }),
  }
  const { dialect, table, columns } = draft
  return Object.freeze({
    model: Object.freeze(model),
    dialect,
    table,
    columns: Object.freeze({ ...columns }),
  })
}

const notesOn = ({ name: model, given, fields, columns, leftOut }: Draft): readonly string[] => {
  const notes = leftOut.map(
    (field) => `${model}.${field} is skipped: the view does not have a column with that name.`,
  )
  const unknown = fields.filter(isUnknown)
  const [first] = unknown
  if (first === undefined) return notes
  const list = unknown.map(({ name }) => `${name} (${ownValue(columns, name)?.getSQLType()})`)
  return [
    `${model}: the types of ${list.join(', ')} are unknown, so they accept only text, numbers and booleans, and clients cannot filter by them. Set their kinds: drizzleModels(db, tables, { columns: { ${given.key}: { ${first.name}: 'text' } } }).`,
    ...notes,
  ]
}

const isUnknown = ({ kind, element }: Pick<Field, 'kind' | 'element'>): boolean =>
  kind === 'opaque' || (element !== undefined && isUnknown(element))

interface Link {
  readonly owner: Draft
  readonly target: Draft
  readonly key: ForeignKey
}

/** To-one on the side of the foreign key, to-many on the other. Keys to tables that were not passed are ignored. */
const relationsOf = (drafts: readonly Draft[]): ReadonlyMap<Draft, readonly Relation[]> => {
  const relations = new Map(drafts.map((draft): [Draft, Relation[]] => [draft, []]))
  const add = (draft: Draft, candidates: readonly string[], relation: Omit<Relation, 'name'>): string => {
    const known = relations.get(draft) ?? []
    const name = freeName(candidates, new Set([...draft.fields, ...known].map((each) => each.name)))
    known.push(Object.freeze({ name, ...relation }))
    return name
  }
  const links = linksOf(drafts)
  const toOneName = new Map(
    links.map((link) => {
      const { fields, references } = link.key
      const relation = { kind: 'to-one', model: link.target.name, fields, references } as const
      return [link, add(link.owner, toOneNames(link), relation)]
    }),
  )
  const linksBetween = Map.groupBy(links, pairOf)
  for (const link of links) {
    const { fields: references, references: fields } = link.key
    const isOnly = linksBetween.get(pairOf(link))?.length === 1
    const names = toManyNames(link, toOneName.get(link) ?? '', isOnly)
    add(link.target, names, { kind: 'to-many', model: link.owner.name, fields, references })
  }
  return relations
}

const pairOf = ({ owner, target }: Link): string => `${owner.name} ${target.name}`

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

/** `authorId` becomes `author`. If that is taken, or the key has several fields: the model's name, then both. */
const toOneNames = ({ target, key }: Link): readonly string[] => {
  const [first = ''] = key.fields
  const stem = first.replace(/(?<=.)(_id|_ID|Id|ID)$/, '')
  const model = uncapital(target.name)
  return key.fields.length === 1 ? [stem, model, stem + target.name] : [model, stem + target.name]
}

/** `books`; with several keys between the two models, prefixed by the name of the to-one: `translatorBooks`. */
const toManyNames = ({ owner }: Link, toOneName: string, isOnly: boolean): readonly string[] => {
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
