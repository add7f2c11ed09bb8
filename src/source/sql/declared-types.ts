import { StartError } from '../../error/errors.ts'
import type { FieldKind } from '../../model/model.ts'
import { type Database, type RawRow, runOnce } from './database.ts'
import type { Table } from './table.ts'
import { sql } from './text.ts'

/** A column of SQLite, and whether its values must be stored as numbers or as text. */
export interface StoredAs {
  readonly model: string
  readonly table: string
  readonly column: string
  readonly as: 'number' | 'text'
  /** Also text that looks like a number, such as `007`, must stay text. @default false */
  readonly keepsDigits?: boolean
}

/** Selects the table, name and declared type of each column of SQLite. */
export const declaredTypes =
  "select t.name as of_table, c.name as of_column, c.type as declared from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'"

/** How SQLite stores text and numbers in a column of a declared type. `digits`: text that looks like a number as one. */
const storing = (type: string): StoredAs['as'] | 'digits' | 'as given' => {
  const name = type.toUpperCase()
  if (name.includes('INT')) return 'number'
  if (/CHAR|CLOB|TEXT/.test(name)) return 'text'
  if (name === '' || name.includes('BLOB')) return 'as given'
  return /REAL|FLOA|DOUB|^(NUMERIC|DECIMAL|NUMBER)\b/.test(name) ? 'number' : 'digits'
}

interface ChangedText {
  readonly given: string
  readonly changed: string
  readonly advice?: string
}

const changes: Readonly<Record<StoredAs['as'] | 'digits', ChangedText>> = {
  text: { given: 'its text', changed: 'numbers' },
  number: { given: 'its numbers', changed: 'text, which sorts 10 before 9' },
  digits: { given: 'text such as 007', changed: 'a number', advice: 'Declare the column as text.' },
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
  for (const { model, table, column, as, keepsDigits = false } of columns) {
    const type = types.get(key(table, column)) ?? ''
    const stored = storing(type)
    if (stored === as || stored === 'as given' || (stored === 'digits' && !keepsDigits)) continue
    const way = stored === 'digits' ? stored : as
    const {
      given,
      changed,
      advice = 'Change the type of the column as the model declares it.',
    } = changes[way]
    throw new StartError(
      `${adapter}: the column ${column} of the table ${table} (${model}) is declared as ${type}, so SQLite would store ${given} as ${changed}. ${advice}`,
    )
  }
}

/** Which values of a table must be stored as they are given. */
type ColumnsOf = (table: Table) => readonly StoredAs[]

/** The same for the tables of a source. @param stored @default strings, because statements read numbers from columns of any type */
export const assertTexts = async (
  adapter: string,
  database: Database,
  tables: readonly Table[],
  stored: ColumnsOf = textsOf,
): Promise<void> => {
  const read = (rows: readonly RawRow[]) => rows.map((row) => Array.from(row))
  const rows = (await runOnce(database, sql.raw(declaredTypes), read)) ?? []
  assertDeclared(adapter, rows, tables.flatMap(stored))
}

const textsOf: ColumnsOf = ({ model, name, columns }) =>
  columns
    .filter(({ field }) => field.kind === 'text')
    .map(({ name: column }) => ({ model: model.name, table: name, as: 'text', column }))

const numbers: ReadonlySet<FieldKind> = new Set([...(['integer', 'bigint', 'decimal', 'float'] as const)])

/** Of tables that nothing but their author describes. Numbers that are stored as text sort otherwise. */
export const textsAndNumbersOf: ColumnsOf = (table) => [
  ...textsOf(table).map((stored) => ({ ...stored, keepsDigits: !table.model.readOnly })),
  ...table.columns
    .filter(({ field }) => numbers.has(field.kind) && field.conditions === undefined)
    .map(({ name: column }) => ({
      ...({ model: table.model.name, table: table.name, as: 'number', column } as const),
    })),
]
