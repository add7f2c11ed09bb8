import { StartError } from '../../error/errors.ts'
import { type Database, type RawRow, runOnce } from './database.ts'
import type { Table } from './table.ts'
import { sql } from './text.ts'

/** A column of SQLite, and whether its values must be stored as numbers or as text. */
export interface StoredAs {
  readonly model: string
  readonly table: string
  readonly column: string
  readonly as: 'number' | 'text'
}

/** Selects the table, name and declared type of each column of SQLite. */
export const declaredTypes =
  "select t.name as of_table, c.name as of_column, c.type as declared from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'"

/** How SQLite stores text and numbers in a column of a declared type. `undefined`: as they are given, or it depends on the value. */
const storing = (type: string): StoredAs['as'] | undefined => {
  const name = type.toUpperCase()
  if (name.includes('INT')) return 'number'
  if (/CHAR|CLOB|TEXT/.test(name)) return 'text'
  return /REAL|FLOA|DOUB|^(NUMERIC|DECIMAL|NUMBER)\b/.test(name) ? 'number' : undefined
}

/**
 * SQLite stores whatever it is given, but changes text in a column of numbers, and numbers in one of text, so that they could not be
 * read again.
 *
 * @param rows what `declaredTypes` selects
 * @throws StartError
 */
export const assertDeclared = (
  adapter: string,
  rows: readonly (readonly unknown[])[],
  columns: readonly StoredAs[],
): void => {
  const key = (table: unknown, column: unknown): string => `${table}\n${column}`.toLowerCase()
  const types = new Map(rows.map(([table, column, type]) => [key(table, column), String(type)]))
  for (const { model, table, column, as } of columns) {
    const type = types.get(key(table, column)) ?? ''
    const stored = storing(type)
    if (stored === undefined || stored === as) continue
    const [given, changed] = as === 'text' ? ['text', 'numbers'] : ['numbers', 'text']
    throw new StartError(
      `${adapter}: the column ${column} of the table ${table} (${model}) is declared as ${type}, so SQLite would store its ${given} as ${changed}. Change the type of the column as the model declares it.`,
    )
  }
}

/** The same for texts: statements read numbers from columns of any type. */
export const assertTexts = async (
  adapter: string,
  database: Database,
  tables: readonly Table[],
): Promise<void> => {
  const read = (rows: readonly RawRow[]) => rows.map((row) => Array.from(row))
  const rows = (await runOnce(database, sql.raw(declaredTypes), read)) ?? []
  assertDeclared(adapter, rows, tables.flatMap(textsOf))
}

const textsOf = ({ model, name, columns }: Table): readonly StoredAs[] =>
  columns
    .filter(({ field }) => field.kind === 'text')
    .map(({ name: column }) => ({ model: model.name, table: name, as: 'text', column }))
