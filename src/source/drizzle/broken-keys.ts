import { getTableColumns, isTable, type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { ownValue } from '../../model/own-value.ts'
import { type Awaitable, DEFAULT, type Row } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import { equalSql } from './compare.ts'
import type { Database } from './database.ts'
import { whereTrue } from './questions.ts'
import { type ForeignKey, readKeys } from './read-table.ts'
import type { DescribedTable } from './table.ts'

/** What may have broken a foreign key, and the query that tells whether it did. */
interface Suspect {
  /** The model whose record refers, and by which fields. */
  readonly model: string
  readonly fields: readonly string[]
  readonly query: SQL
}

/** Databases do not say which foreign key was broken, or not in one way: it is looked up after the failure. */
export interface BrokenKeys {
  /** Foreign keys among the values whose record does not exist. @param key of the record that is changed */
  missing(table: BoundTable, values: Row, key?: readonly unknown[]): Awaitable<readonly Suspect[]>
  /** Foreign keys of other records that hold this one, in the way of a delete or of a change of `fields`. */
  holding(
    table: BoundTable,
    key: readonly unknown[],
    fields?: readonly string[],
  ): Awaitable<readonly Suspect[]>
}

/** Looks for broken foreign keys, one statement for each failure. */
export const brokenKeysOf = (
  database: Database,
  tables: readonly DescribedTable[],
  boundOf: (model: string) => BoundTable,
): BrokenKeys => {
  const guilty = (suspects: readonly Suspect[]): Awaitable<readonly Suspect[]> =>
    whereTrue(database, suspects, ({ query }) => query)

  return Object.freeze<BrokenKeys>({
    missing: (table, values, key) =>
      guilty(
        foreignKeysOf(tables, table.model.name)
          .filter(({ fields }) => fields.some((name) => isGiven(ownValue(values, name))))
          .filter(({ fields }) =>
            fields.every((name) => isGiven(ownValue(values, name)) || mayBeStored(name, values, key)),
          )
          .map((foreignKey) => ({
            model: table.model.name,
            fields: foreignKey.fields,
            query: missingSql(
              foreignKey,
              foreignKey.fields.map((name) => partOf(table, name, values, key)),
            ),
          })),
      ),

    holding: (table, key, changed) => {
      const target = tables.find(({ model }) => model.name === table.model.name)
      const suspects = tables.flatMap((described) => {
        const owner = boundOf(described.model.name)
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

/** A default is known to the database alone. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== DEFAULT

/** A part of a key that the change leaves as it is. */
const mayBeStored = (name: string, values: Row, key: readonly unknown[] | undefined): boolean =>
  key !== undefined && ownValue(values, name) === undefined

const partOf = (table: BoundTable, name: string, values: Row, key: readonly unknown[] = []): Part => {
  const { name: column, encode } = table.fieldOf(name)
  return ownValue(values, name) === undefined
    ? { isStored: true, value: sql`(select ${column} from ${table.table} where ${isRecord(table, key)})` }
    : { isStored: false, value: sql.param(encode(ownValue(values, name))) }
}

const isRecord = (table: BoundTable, key: readonly unknown[]): SQL =>
  sql.join(
    table.key.map((bound, place) => equalSql(bound, sql.param(bound.encodeCompared(key[place])))),
    sql` and `,
  )

/** What a part of a key is, or will be. */
interface Part {
  readonly value: SQLChunk
  /** It is read from the record, and may be null there: then the key refers to nothing. */
  readonly isStored: boolean
}

const missingSql = ({ table, references }: ForeignKey, parts: readonly Part[]): SQL => {
  const columns = getTableColumns(table)
  const equal = parts.map(({ value }, place) => sql`${ownValue(columns, references[place] ?? '')} = ${value}`)
  const stored = parts.filter(({ isStored }) => isStored).map(({ value }) => sql`${value} is not null and `)
  return sql`(${sql.join(stored)}not exists (select 1 from ${table} where ${sql.join(equal, sql` and `)}))`
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
  return sql`exists (select 1 from ${owner.table} where ${rowOf(own)} = (select ${sql.join(referred, sql`, `)} from ${held.table} where ${isRecord(held, key)}))`
}

const rowOf = (columns: readonly SQLChunk[]): SQL =>
  columns.length === 1 ? sql`${columns[0]}` : sql`(${sql.join([...columns], sql`, `)})`
