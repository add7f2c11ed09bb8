import { SourceError } from '../source.ts'
import { type Codec, type ColumnCodec, type Family, itself } from './codecs.ts'
import { type Database, type Sending, spellingOf } from './database.ts'
import { databaseOver } from './port.ts'
import type { Column, Table } from './table.ts'
import type { MappedTable, TableMember } from './tables.ts'
import { type Dialect, type Spelling, Sql } from './text.ts'

/** Where an ORM runs the statements of the engine. */
type Connected = Pick<
  Database,
  'completesStatements' | 'errors' | 'handle' | 'inTransaction' | 'sharesReads' | 'spelling' | 'transaction'
> & {
  readonly family: Family
  /** Rows by the names of their columns, in the order of the columns. @param sending runs a statement that had to be completed */
  rows(text: string, values: readonly unknown[], sending: Sending): Promise<readonly object[]>
  /** Runs a statement of MySQL that returns no rows. @returns the number of records, and the last key that was counted */
  outcome(
    text: string,
    values: readonly unknown[],
    sending: Sending,
  ): Promise<readonly [changed: number, counted: unknown]>
}

const dialectOfFamily = (family: Family): Dialect => (family === 'mariadb' ? 'mysql' : family)

/** As the drivers of the database read statements. */
export const spellingOfFamily = (family: Family): Spelling => spellingOf({ dialect: dialectOfFamily(family) })

/** The database of an asynchronous ORM, for the engine. */
export const engineDatabase = ({ family, rows, outcome, ...connected }: Connected): Database =>
  databaseOver(
    {
      run: async (text, values, fetch, sending) =>
        fetch === 'outcome' ? [await outcome(text, values, sending)] : await rows(text, values, sending),
    },
    {
      ...{ ...connected, dialect: dialectOfFamily(family), server: { version: family } },
      ...{ synchronous: false, hasTransactions: true },
    },
  )

/** What the engine needs to know of a table beyond its model. */
type More<Of extends TableMember> = Pick<Table, 'isView' | 'filter' | 'constants' | 'shown'> & {
  /** Whether the database counts up the values of a column. */
  readonly isCounted: (member: Of) => boolean
}

/** The table of a model of an ORM, for the engine. */
export const engineTable = <Of extends TableMember>(
  { model, name, table, members, indexes, indexed, checks = [] }: MappedTable<Of>,
  { isCounted, ...more }: More<Of>,
): Omit<Table, 'foreignKeys'> =>
  Object.freeze({
    ...{ model, name, sql: table, checks, ...more },
    columns: model.fields.map((field) => {
      const member = members.get(field.name)
      if (member === undefined) throw new Error(`${model.name} has no column for ${field.name}`)
      return { ...columnOf(member), autoIncrement: isCounted(member) }
    }),
    indexes: [
      ...indexes.map((index) => ({ ...index, isWhole: true })),
      ...indexed.map((fields) => ({ names: [], fields, isWhole: true })),
    ],
  })

/** A column of a table, for the engine. */
export const columnOf = ({ field, column, codec }: TableMember): Column => ({
  ...{ field, name: column, codec: engineCodec(field.name, codec), stored: field },
  ...(field.kind === 'decimal' && { decimal: { scale: field.scale } }),
  ...(codec.seconds && { seconds: codec.seconds }),
})

const engineCodec = (name: string, codec: ColumnCodec): Codec => {
  const {
    param,
    written,
    ordered = itself,
    ranked = ordered,
    compared = ranked,
    comparedSlot = written,
  } = codec
  const fits = (value: unknown): boolean => codec.fits?.(value) !== false
  return {
    ...codec,
    encode: (value) => {
      if (value === null || value instanceof Sql) return value
      if (!fits(value)) throw new SourceError('value', { fields: [name] })
      return param(value)
    },
    encodeCompared: (value) =>
      value === null || (codec.comparedSlot === undefined && !fits(value)) ? null : param(value),
    encodeRanked: (value) => (value === null ? null : param(value)),
    ...{ compared, ranked, ...(comparedSlot && { comparedSlot }) },
  }
}
