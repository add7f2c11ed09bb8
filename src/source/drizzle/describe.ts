import { getTableName, isTable } from 'drizzle-orm'
import type { FieldFacts, TableFacts } from '../../model/facts.ts'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import { ownValue } from '../../model/objects.ts'
import { describeModels } from '../../model/setup/describe.ts'
import { linesOf, type Note } from '../notes.ts'
import { valueCapabilities } from '../sql/capabilities.ts'
import { type Draft, modelDraft } from './describe-table.ts'
import { foreignKeysBetween } from './foreign-keys.ts'
import { ownRelations } from './own-relations.ts'
import { columnReader } from './read-columns.ts'
import { type ColumnKinds, statedColumns } from './stated-columns.ts'
import {
  assertDistinct,
  assertNamedTables,
  type DescribedTable,
  givenExports,
  givenTables,
  type ModelNames,
  type Tables,
  tableModelName,
} from './tables.ts'

/**
 * Omits what cannot be served, with a line in `notes`.
 *
 * @param schema the schema of the drizzle database, which may contain the `relations()` of the tables
 * @throws StartError
 */
export const describeTables = (
  tables: Tables,
  names: ModelNames = {},
  columns: ColumnKinds = {},
  schema: object = {},
): { readonly tables: readonly DescribedTable[]; readonly notes: readonly string[] } => {
  const given = givenTables(tables)
  assertNamedTables(given, names, 'names')
  const stated = statedColumns(given, columns)
  const readers = { sqlite: columnReader('sqlite'), pg: columnReader('pg'), mysql: columnReader('mysql') }
  const drafts: Draft[] = []
  const skipped: Note[] = []
  for (const table of given) {
    const { app, key, dialect } = table
    const name = tableModelName(table, names)
    const statedHere = stated(table)
    const draft =
      dialect === undefined
        ? 'modelrest serves tables of SQLite, PostgreSQL and MySQL'
        : modelDraft(table, name, dialect, (field, column) => readers[dialect](column, statedHere.get(field)))
    if (typeof draft === 'string') skipped.push({ place: `${app}.${key}`, becomes: 'left out', why: draft })
    else if (!drafts.some((other) => isSameModel(draft, other))) drafts.push(draft)
  }
  assertDistinct(drafts)
  const own = ownRelations([...givenExports(tables), ...Object.values(schema)])
  const { keysOf, notes } = foreignKeysBetween(drafts, own)
  const models = describeModels(
    drafts.map((draft) => factsOf(draft, keysOf(draft))),
    valueCapabilities,
  )
  const described = models.flatMap((model, at): DescribedTable[] => {
    const draft = drafts[at]
    if (draft === undefined) return []
    const { dialect, table, columns } = draft
    return [Object.freeze({ model, dialect, table, columns: Object.freeze({ ...columns }) })]
  })
  return Object.freeze({
    tables: Object.freeze(described),
    notes: Object.freeze([
      ...linesOf([...skipped, ...notes, ...drafts.flatMap(missingColumns)]),
      ...drafts.flatMap(unknownColumns),
    ]),
  })
}

/** A module may export a table twice, with names that result in the same model. */
const isSameModel = (one: Draft, other: Draft): boolean =>
  one.name === other.name && one.table === other.table && one.given.app === other.given.app

const factsOf = (draft: Draft, foreignKeys: readonly ForeignKeyFacts[]): TableFacts => {
  const { name, given, table, fields, primaryKey, uniques, readOnly } = draft
  return {
    ...{ name, app: given.app, fields, primaryKey, uniques, readOnly },
    ...(isTable(table) && { table: getTableName(table) }),
    foreignKeys,
  }
}

const missingColumns = ({ name: model, leftOut }: Draft): readonly Note[] =>
  leftOut.map((field) => ({
    ...{ place: `${model}.${field}`, becomes: 'left out' },
    why: 'the view does not have a column with that name',
  }))

/** One line for all columns of a model whose types are unknown, or whose mappers change the values. */
const unknownColumns = ({ name: model, given, fields, columns }: Draft): readonly string[] => {
  const names = fields.filter(isUnknown).map(({ name }) => name)
  if (names.length === 0) return []
  const list = names.map((name) => `${name} (${ownValue(columns, name)?.getSQLType()})`).join(', ')
  return [
    `modelrest does not know what these columns of ${model} hold: ${list}. Columns with mappers accept only values that the mappers return unchanged; others accept only text, numbers and booleans. Clients cannot filter by these columns. Set their kinds: drizzleModels(db, tables, { columns: { ${given.key}: { ${names[0]}: 'text' } } }).`,
  ]
}

const isUnknown = ({ kind, element }: Pick<FieldFacts, 'kind' | 'element'>): boolean =>
  kind === 'opaque' || (element !== undefined && isUnknown(element))
