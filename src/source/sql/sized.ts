import type { Field, Model } from '../../model/model.ts'
import { after } from '../../model/objects.ts'
import { isEndless, sizeOf, sizingOf } from '../sizing.ts'
import type { Admits, Awaitable } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import { columnsSql, type Database, type RawRow } from './database.ts'
import { type Sql, sql } from './text.ts'

/** A statement that reads rows of a model, which may be large. */
interface SizedRead<Found, T> {
  readonly model: Model
  /** @default all */
  readonly fields: readonly string[] | undefined
  readonly admits: Admits | undefined
  /** How many rows it reads at most. */
  readonly most: number
  /** Reads the columns of `sizeSql` of all rows instead. */
  sizes(): Awaitable<readonly RawRow[] | undefined>
  rows(): Awaitable<Found | undefined>
  rawOf(found: Found): readonly RawRow[]
  read(found: Found): readonly T[]
}

/** Asks for the sizes of rows that may be large, and reads those that are admitted. */
export const readSized = <Found, T>({
  model,
  fields,
  admits,
  most,
  sizes,
  rows,
  rawOf,
  read,
}: SizedRead<Found, T>): Awaitable<readonly T[]> => {
  const sizing = sizingOf(model)
  const noting = sizing.admitting(admits, fields)
  const all = (isKnown: boolean): Awaitable<readonly T[]> =>
    after(rows(), (found) =>
      found === undefined
        ? []
        : after(isKnown || noting(rawOf(found).map(sizeOf)), (isAdmitted) => (isAdmitted ? read(found) : [])),
    )
  if (admits === undefined || !sizing.isUnsure(most, fields)) return all(false)
  return after(sizes(), (found = []) => {
    if (found.length === 0) return []
    const json = found.reduce((total, row) => total + Number(row[1]), 0)
    return after(
      noting(
        found.map((row) => Number(row[0])),
        json,
      ),
      (isAdmitted) => (isAdmitted ? all(true) : []),
    )
  })
}

/** The columns of a statement that asks for the sizes of rows. */
export const sizesIn = (database: Database, table: BoundTable, fields?: readonly string[]): Sql =>
  sizeSql(
    database,
    (fields?.map(table.fieldOf) ?? table.fields).map(({ field, selected }) => ({ field, value: selected })),
  )

/** A value to read, by its field. */
interface Sized {
  readonly field: Field
  readonly value: Sql
}

/** The bytes of all values whose length has no bound, and those of values that are parsed as JSON. */
export const sizeSql = (database: Database, values: readonly Sized[]): Sql => {
  const endless = values.filter(({ field }) => isEndless(field))
  const json = endless.filter(({ field }) => field.form === 'json')
  return columnsSql(database, [summed(database, endless), summed(database, json)])
}

const summed = (database: Database, values: readonly Sized[]): Sql =>
  values.length === 0
    ? sql`0`
    : sql.join(
        values.map((sized) => bytesOf(database, sized)),
        sql` + `,
      )

const bytesOf = ({ dialect }: Database, { field: { kind, form }, value }: Sized): Sql => {
  if (dialect === 'mysql') return sql`coalesce(length(${value}), 0)`
  // SQLite knows them without reading the value, and PostgreSQL those of text and bytes.
  if (dialect === 'sqlite' || kind === 'bytes' || form === 'bytes')
    return sql`coalesce(octet_length(${value}), 0)`
  return sql`coalesce(octet_length((${value})::text), 0)`
}
