import { sql } from 'drizzle-orm'
import { readMysqlError } from '../../sql/mysql-errors.ts'
import { mysqlAnyOf } from '../any-of.ts'
import { mysqlContains } from '../contains.ts'
import type { DialectRow } from '../dialect-row.ts'
import { mysqlStatistics } from '../statistics.ts'
import { mysqlColumns } from './columns.ts'
import { isTableNamed } from './names.ts'
import { assertSafe } from './server.ts'

/** They compare byte for byte already. */
const binaryTypes: ReadonlySet<string> = new Set(['MySqlBinary', 'MySqlVarBinary'])

/** MySQL and MariaDB. */
export const mysqlRow: DialectRow = {
  ...mysqlColumns,
  noun: 'MySQL',
  unicodeCaseFolding: true,
  hasBooleans: true,
  contains: mysqlContains,
  anyOf: mysqlAnyOf,
  // Nulls are the smallest to it.
  nullsLargest: (name, side, direction) =>
    direction === 'asc' ? sql`${name} is null asc, ${side} asc` : sql`${name} is null desc, ${side} desc`,
  // Most collations take case, accents and spaces at the end for nothing, those by code point the spaces.
  exactText: ({ columnType }, name) =>
    binaryTypes.has(columnType) ? undefined : sql`cast(convert(${name} using utf8mb4) as binary)`,
  defaults: { insert: () => undefined, update: () => sql`default` },
  noValues: sql`() values ()`,
  locked: sql` for update`,
  readsWhatItChanges: false,
  exists: (quoted) => sql`exists (select 1 from information_schema.tables where ${isTableNamed(quoted)})`,
  statistics: mysqlStatistics,
  comparesRows: false,
  readError: readMysqlError,
  assertSafe,
}
