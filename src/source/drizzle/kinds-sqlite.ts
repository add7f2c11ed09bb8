import { always, type TypeTable } from './column-facts.ts'
import {
  bigint,
  boolean,
  bytes,
  customOr,
  decimal,
  file,
  float,
  image,
  json,
  safeInteger,
  text,
} from './type-rows.ts'

/** SQLite's numeric keeps 15 digits, and its scale is not known: nothing is padded. */
const numeric = { kind: 'decimal', precision: 15 } as const

/** The column types of `drizzle-orm/sqlite-core`, and our own. */
export const sqliteTypes: TypeTable = {
  SQLiteBigInt: bigint,
  SQLiteBlobBuffer: bytes,
  SQLiteBlobJson: json,
  SQLiteBoolean: boolean,
  SQLiteCustomColumn: customOr({ blob: { kind: 'bytes', form: 'bytes' } }),
  SQLiteExactDecimal: decimal('string'),
  SQLiteFile: file,
  SQLiteImage: image,
  SQLiteInteger: safeInteger,
  SQLiteNumeric: always({ ...numeric, form: 'string' }),
  SQLiteNumericBigInt: always({ ...numeric, form: 'bigint', scale: 0 }),
  SQLiteNumericNumber: always({ ...numeric, form: 'number' }),
  SQLiteReal: float,
  SQLiteText: text,
  SQLiteTextJson: json,
  SQLiteTimestamp: ({ mode }) => ({
    kind: 'datetime',
    form: 'date',
    fractionDigits: mode === 'timestamp_ms' ? 3 : 0,
  }),
}
