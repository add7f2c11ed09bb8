import { StartError } from '../../error/errors.ts'
import { type Database, runOnce } from './database.ts'
import { assertDeclared, declaredTypes, type StoredAs } from './declared-types.ts'
import { assertDriver } from './driver-check.ts'
import { isMariaDb, isSteady } from './mysql-server.ts'
import type { SqlColumn, SqlTable } from './stated-tables.ts'
import type { Dialect } from './text.ts'
import { sql } from './text.ts'
import { declaredType } from './types.ts'

type AssertSafe = (adapter: string, database: Database, tables: readonly SqlTable[]) => Promise<void>

/** Checks that the driver, the sessions and the tables of the database do not lose data. @throws StartError */
export const assertStatedSafe: AssertSafe = async (adapter, database, tables) => {
  if (tables.length === 0) return
  await assertDriver(adapter, database)
  await checks[database.dialect]?.(adapter, database, tables)
}

const assertSqlite: AssertSafe = async (adapter, database, tables) => {
  const rows = await runOnce(database, sql.raw(declaredTypes), (found) => found.map((row) => Array.from(row)))
  assertDeclared(adapter, rows ?? [], tables.flatMap(textsOf))
  const keyed = tables.find(({ foreignKeys = [] }) => foreignKeys.some(({ unchecked }) => unchecked !== true))
  if (keyed === undefined) return
  const on = await runOnce(database, sql`select foreign_keys from pragma_foreign_keys`, ([row]) =>
    Number(row?.[0]),
  )
  if (on === 1) return
  throw new StartError(
    `${adapter}: SQLite does not check the foreign keys of ${keyed.name}, because foreign_keys is off. Run pragma foreign_keys = on when you open the database, or set unchecked of the keys.`,
  )
}

/** Statements read numbers from columns of any type. */
const textsOf = ({ name: model, table, columns }: SqlTable): readonly StoredAs[] =>
  columns
    .filter(({ type, codec }) => codec === undefined && /char|text/.test(declaredType(type).name))
    .map(({ name, column = name }) => ({ model, table, column, as: 'text' }))

const assertMysql: AssertSafe = async (adapter, database, tables) => {
  const timed = tables.find(({ columns }) =>
    columns.some(({ type }) => declaredType(type).name === 'timestamp'),
  )
  if (timed !== undefined && !(await isSteady(database)))
    throw new StartError(
      `${adapter}: the time zone of the database has daylight saving time, so a timestamp (${timed.name}) cannot store one hour of each year. Set the time zone of its connections to +00:00.`,
    )
  if (await isMariaDb(database)) return
  for (const { name, primaryKey, columns, readOnly } of tables) {
    const made = columns.find((column) => primaryKey.includes(column.name) && isMadeInside(column))
    if (made === undefined || readOnly === true) continue
    throw new StartError(
      `${adapter}: MySQL generates the key ${made.name} of ${name} but does not return it. Set autoIncrement, or makeDefault.`,
    )
  }
}

/** Whether only the database knows the value of a new record that has none. */
const isMadeInside = ({
  autoIncrement,
  makeDefault,
  defaultSql,
  hasDefault,
  default: constant,
}: SqlColumn): boolean =>
  autoIncrement !== true &&
  makeDefault === undefined &&
  (defaultSql !== undefined || (hasDefault === true && constant === undefined))

const checks: Readonly<Partial<Record<Dialect, AssertSafe>>> = { sqlite: assertSqlite, mysql: assertMysql }
