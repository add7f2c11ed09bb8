import {
  type Column,
  createTableRelationsHelpers,
  extractTablesRelationalConfig,
  getTableUniqueName,
  is,
  normalizeRelation,
  One,
  type Relation,
  Relations,
  type Table,
} from 'drizzle-orm'
import { fieldsOf } from './constraints.ts'

/** A relation of the application's `relations()`. */
export interface OwnRelation {
  /** For a note: `posts.author`. */
  readonly place: string
  readonly name: string
  readonly table: Table
  readonly target: Table
  /** Its columns, or the reason why drizzle could not use it either, with the way out. */
  readonly ends: OwnEnds | string
}

export interface OwnEnds {
  readonly fields: readonly string[]
  readonly references: readonly string[]
  /** It has `fields` and `references`. All others follow from one that has. */
  readonly isStated: boolean
}

/** @param exported the exports of schema modules, which may contain a `relations()` several times */
export const ownRelations = (exported: readonly unknown[]): readonly OwnRelation[] => {
  const declared = [...new Set(exported)].filter((value) => is(value, Relations))
  const tables = new Set(
    declared.flatMap(({ table, config }) => {
      const relations = Object.values(config(createTableRelationsHelpers(table)))
      return [table, ...relations.map(({ referencedTable }) => referencedTable)]
    }),
  )
  const { tables: config, tableNamesMap } = extractTablesRelationalConfig(
    Object.fromEntries([...tables, ...declared].entries()),
    createTableRelationsHelpers,
  )
  return Object.values(config).flatMap(({ dbName, relations }) =>
    Object.entries(relations).map(([name, relation]): OwnRelation => {
      const { sourceTable: table, referencedTable: target } = relation
      const place = `${dbName}.${name}`
      return { place, name, table, target, ends: endsOf(relation, config, tableNamesMap) }
    }),
  )
}

const endsOf = (
  relation: Relation,
  ...schema: [Parameters<typeof normalizeRelation>[0], Parameters<typeof normalizeRelation>[1]]
): OwnEnds | string => {
  try {
    const ends = normalizeRelation(...schema, relation)
    const fields = namesOf(relation.sourceTable, ends.fields)
    const references = namesOf(relation.referencedTable, ends.references)
    const isComplete = fields.length === ends.fields.length && references.length === fields.length
    const isStated = is(relation, One) && relation.config !== undefined
    return isComplete && fields.length > 0
      ? { fields, references, isStated }
      : 'its fields and references must be columns of its two tables'
  } catch (error) {
    return reasonOf(error)
  }
}

/** Errors of drizzle name tables by the keys of a schema that only this file has. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message.includes('multiple relations')
    ? 'several relations lead to this table from the other one. Give both sides of each relation the same relationName, which no other has'
    : 'no side of the relation names its columns. Write one(table, { fields, references }) in the relations() of the table with the foreign key'

/** Only of columns that belong to the table: those of another one may have the same names. */
const namesOf = (table: Table, columns: readonly Column[]): readonly string[] => {
  const own = columns.filter((column) => getTableUniqueName(column.table) === getTableUniqueName(table))
  return Object.freeze(fieldsOf(table, own))
}
