import { getTableColumns, isTable, type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Awaitable, Row } from '../source.ts'
import { type BoundField, type BoundTable, bindTable } from './bound-table.ts'
import type { Database } from './database.ts'
import { whereTrue } from './questions.ts'
import { type ForeignKey, readKeys } from './read-table.ts'
import type { DescribedTable } from './table.ts'
import { equalSql } from './where.ts'

/** What may have broken a foreign key, and the query that tells whether it did. */
interface Suspect {
  /** The model whose record refers, and by which fields. */
  readonly model: string
  readonly fields: readonly string[]
  readonly query: SQL
}

/** Databases do not say which foreign key was broken, or not in one way: it is looked up after the failure. */
export interface BrokenKeys {
  /** Foreign keys among the values whose record does not exist. */
  missing(table: BoundTable, values: Row): Awaitable<readonly Suspect[]>
  /** Foreign keys of other records that hold this one, in the way of a delete or of a change of `fields`. */
  holding(
    table: BoundTable,
    key: readonly unknown[],
    fields?: readonly string[],
  ): Awaitable<readonly Suspect[]>
}

/** Looks for broken foreign keys, one statement for each failure. */
export const brokenKeysOf = (database: Database, tables: readonly DescribedTable[]): BrokenKeys => {
  const guilty = (suspects: readonly Suspect[]): Awaitable<readonly Suspect[]> =>
    whereTrue(database, suspects, ({ query }) => query)

  return Object.freeze<BrokenKeys>({
    missing: (table, values) =>
      guilty(
        foreignKeysOf(tables, table.model.name)
          .filter(({ fields }) => fields.every((name) => values[name] !== undefined && values[name] !== null))
          .map((key) => ({
            model: table.model.name,
            fields: key.fields,
            query: missingSql(
              key,
              key.fields.map((name) => encoded(table.fieldOf(name), values[name])),
            ),
          })),
      ),

    holding: (table, key, changed) => {
      const target = tables.find(({ model }) => model.name === table.model.name)
      const suspects = tables.flatMap((described) => {
        const owner = bindTable(database, described)
        return foreignKeysOf(tables, described.model.name)
          .filter((foreignKey) => foreignKey.table === target?.table)
          .filter(({ references, restricts }) =>
            changed === undefined ? restricts : references.some((name) => changed.includes(name)),
          )
          .map((foreignKey) => ({
            model: described.model.name,
            fields: foreignKey.fields,
            query: holdingSql(owner, table, foreignKey, key),
          }))
      })
      return guilty(suspects)
    },
  })
}

const foreignKeysOf = (tables: readonly DescribedTable[], name: string): readonly ForeignKey[] => {
  const described = tables.find(({ model }) => model.name === name)
  if (described === undefined || !isTable(described.table)) return []
  return readKeys(described.table, described.dialect).foreignKeys
}

const encoded = ({ encode }: BoundField, value: unknown): SQLChunk => sql.param(encode(value))

const missingSql = ({ table, references }: ForeignKey, values: readonly SQLChunk[]): SQL => {
  const columns = getTableColumns(table)
  const equal = references.map((name, place) => sql`${columns[name]} = ${values[place]}`)
  return sql`not exists (select 1 from ${table} where ${sql.join(equal, sql` and `)})`
}

/** The record that is held is read in a query of its own, so that a table may refer to itself. */
const holdingSql = (
  owner: BoundTable,
  held: BoundTable,
  { fields, references }: ForeignKey,
  key: readonly unknown[],
): SQL => {
  const own = fields.map((name) => sql`${owner.fieldOf(name).column}`)
  const referred = references.map((name) => held.fieldOf(name).name)
  const isHeld = held.key.map((bound, place) => equalSql(bound, sql.param(bound.encodeCompared(key[place]))))
  return sql`exists (select 1 from ${owner.table} where ${rowOf(own)} = (select ${sql.join(referred, sql`, `)} from ${held.table} where ${sql.join(isHeld, sql` and `)}))`
}

const rowOf = (columns: readonly SQLChunk[]): SQL =>
  columns.length === 1 ? sql`${columns[0]}` : sql`(${sql.join([...columns], sql`, `)})`
