import { isTable } from 'drizzle-orm'
import { StartError } from '../../error/start-error.ts'
import type { Field, Model, Relation } from '../../model/model.ts'
import { pathOf, wordsOf } from '../../model/naming.ts'
import { ownValue } from '../../model/own-value.ts'
import { describeTable } from './describe-table.ts'
import { describeView } from './describe-view.ts'
import type { Draft, Drafted } from './draft.ts'
import { type GivenTable, givenTables, PROTOTYPE, prototypeField, type Tables } from './given-tables.ts'
import { isMigrationTable } from './migration-tables.ts'
import { assertDistinct, type ModelNames, modelNames } from './model-names.ts'
import { columnReader, type ReadColumns, type ReadNamed, type Statement } from './read-columns.ts'
import { relationsOf } from './relations.ts'
import { type ColumnKinds, statements } from './stated-columns.ts'
import type { DescribedTable, Dialect } from './table.ts'

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
  const stated = statements(given, columns)
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
  stated: ReadonlyMap<string, Statement>,
): Drafted => {
  const { dialect, source } = given
  if (dialect === undefined) return 'its dialect is none of SQLite, PostgreSQL and MySQL'
  const read: ReadNamed = (field, column) => readers[dialect](column, stated.get(field))
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
