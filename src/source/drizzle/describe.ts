import { isTable } from 'drizzle-orm'
import { StartError } from '../../error/errors.ts'
import type { Field, Model, Relation } from '../../model/model.ts'
import { pathOf, plural, wordsOf } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import type { ForeignKey } from './constraints.ts'
import { type Draft, type Drafted, describeTable } from './describe-table.ts'
import { describeView } from './describe-view.ts'
import { columnReader, type ReadColumns, type ReadField } from './read-columns.ts'
import { type ColumnKinds, type StatedColumn, statedColumns } from './stated-columns.ts'
import {
  assertDistinct,
  type DescribedTable,
  type Dialect,
  type GivenTable,
  givenTables,
  isMigrationTable,
  type ModelNames,
  modelNames,
  PROTOTYPE,
  prototypeField,
  type Tables,
} from './tables.ts'

/**
 * Describes the tables and views of an application: app label -> what its module exports, or the tables of a single app,
 * which is then called `app`. What is no table is ignored; what cannot be served is left out, and `notes` say so.
 *
 * @param names overrides the names of models: by the table's key, or `app.key` -> name.
 * @param columns says what columns hold, where their type does not tell: by the table's key, or `app.key` -> column -> kind.
 * @throws StartError for an unknown key in `names` or `columns`, two models with one name, and two fields that differ in case style only.
 */
export const describeTables = (
  tables: Tables,
  names: ModelNames = {},
  columns: ColumnKinds = {},
): { readonly tables: readonly DescribedTable[]; readonly notes: readonly string[] } => {
  const given = givenTables(tables)
  const stated = statedColumns(given, columns)
  const readers = { sqlite: columnReader('sqlite'), pg: columnReader('pg'), mysql: columnReader('mysql') }
  const drafted = [...modelNames(given, names)].map(([table, name]) => ({
    table,
    drafted: draft(table, name, readers, stated(table)),
  }))
  const drafts = drafted.flatMap(({ drafted }) => (typeof drafted === 'string' ? [] : [drafted]))
  const distinct = withoutRepeats(drafts)
  assertDistinct(distinct)
  for (const each of distinct) assertNames(each)
  const relations = relationsOf(distinct)
  const skipped = drafted.flatMap(({ table, drafted }) =>
    typeof drafted === 'string' ? [`${table.app}.${table.key} is skipped: ${drafted}.`] : [],
  )
  return Object.freeze({
    tables: Object.freeze(distinct.map((each) => described(each, relations.get(each) ?? []))),
    notes: Object.freeze([...skipped, ...distinct.flatMap(notesOn)]),
  })
}

const draft = (
  given: GivenTable,
  name: string,
  readers: Readonly<Record<Dialect, ReadColumns>>,
  stated: ReadonlyMap<string, StatedColumn>,
): Drafted => {
  const { dialect, source } = given
  if (dialect === undefined) return 'its dialect is none of SQLite, PostgreSQL and MySQL'
  const read: ReadField = (field, column) => readers[dialect](column, stated.get(field))
  return isTable(source)
    ? describeTable(given, name, source, dialect, read)
    : describeView(given, name, source, dialect, read)
}

/** A module may export one table under two names that make the same model. */
const withoutRepeats = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts.filter(
    (draft) =>
      draft ===
      drafts.find(
        ({ name, table, given }) =>
          name === draft.name && table === draft.table && given.app === draft.given.app,
      ),
  )

/** Generated clients write names in the case style of their language, and cannot hold both. */
const assertNames = ({ name, fields }: Draft): void => {
  const plain = new Map<string, string>()
  for (const field of fields) {
    if (field.name === PROTOTYPE) throw prototypeField(name)
    const key = wordsOf(field.name).join(' ')
    const other = plain.get(key)
    if (other !== undefined) {
      throw new StartError(
        `${name}: the fields ${other} and ${field.name} differ in case style only, and generated clients cannot hold both. Rename one of the two keys in the table: its column keeps its name, as in text('${field.name}').`,
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
  return Object.freeze({
    model: Object.freeze(model),
    dialect: draft.dialect,
    table: draft.table,
    columns: Object.freeze({ ...draft.columns }),
  })
}

const notesOn = ({ name, given, fields, columns, leftOut }: Draft): readonly string[] => [
  ...unknownColumns(name, given, fields.filter(isUnknown), columns),
  ...leftOut.map((field) => `${name}.${field} is left out: the view has no column of that name.`),
]

/** One line, however many there are. */
const unknownColumns = (
  model: string,
  { key }: GivenTable,
  unknown: readonly Field[],
  columns: Draft['columns'],
): readonly string[] => {
  const [first] = unknown
  if (first === undefined) return []
  const list = unknown.map(({ name }) => `${name} (${ownValue(columns, name)?.getSQLType()})`)
  return [
    `${model}: modelrest cannot tell the values of ${list.join(', ')}: only text, numbers and booleans are accepted there, and filters are off. Say what is stored: drizzleModels(db, tables, { columns: { ${key}: { ${first.name}: 'text' } } }).`,
  ]
}

const isUnknown = ({ kind, element }: Pick<Field, 'kind' | 'element'>): boolean =>
  kind === 'opaque' || (element !== undefined && isUnknown(element))

interface Link {
  readonly owner: Draft
  readonly target: Draft
  readonly key: ForeignKey
}

/**
 * The relations of each model: to-one where the foreign key is, to-many on the other side. A key to a table that was not
 * given has none.
 */
const relationsOf = (drafts: readonly Draft[]): ReadonlyMap<Draft, readonly Relation[]> => {
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
