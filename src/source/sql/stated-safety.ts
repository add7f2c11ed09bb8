import { StartError } from '../../error/errors.ts'
import { type Database, runOnce } from './database.ts'
import { assertTexts, textsAndNumbersOf } from './declared-types.ts'
import { assertDriver } from './driver-check.ts'
import { isMariaDb, isSteady } from './mysql-server.ts'
import type { Column, Table } from './table.ts'
import { type Dialect, Sql, sql } from './text.ts'

type AssertSafe = (adapter: string, database: Database, tables: readonly Table[]) => Promise<void>

/** Checks that the driver, the sessions and the tables of the database do not lose data. @throws StartError */
export const assertStatedSafe: AssertSafe = async (adapter, database, tables) => {
  if (tables.length === 0) return
  await assertDriver(adapter, database)
  await checks[database.dialect]?.(adapter, database, tables)
}

const assertSqlite: AssertSafe = async (adapter, database, tables) => {
  await assertTexts(adapter, database, tables, textsAndNumbersOf)
  const keyed = tables.find(({ foreignKeys }) => foreignKeys.length > 0)
  if (keyed === undefined) return
  const on = await runOnce(database, sql`select foreign_keys from pragma_foreign_keys`, ([row]) =>
    Number(row?.[0]),
  )
  if (on === 1) return
  throw new StartError(
    `${adapter}: SQLite does not check the foreign keys of ${keyed.model.name}, because foreign_keys is off. Run pragma foreign_keys = on when you open the database, or set unchecked of the keys.`,
  )
}

const assertMysql: AssertSafe = async (adapter, database, tables) => {
  // Other times are without a zone.
  const timed = tables.find(({ model }) => model.fields.some(({ kind }) => kind === 'datetime'))
  if (timed !== undefined && !(await isSteady(database)))
    throw new StartError(
      `${adapter}: the time zone of the database has daylight saving time, so a timestamp (${timed.model.name}) cannot store one hour of each year. Set the time zone of its connections to +00:00.`,
    )
  if (await isMariaDb(database)) return
  for (const { model, columns } of tables) {
    const keys = columns.filter(({ field }) => model.primaryKey.includes(field.name))
    const made = keys.find(isMadeInside)
    if (made === undefined || model.readOnly) continue
    throw new StartError(
      `${adapter}: MySQL generates the key ${made.field.name} of ${model.name} but does not return it. Set autoIncrement, or makeDefault.`,
    )
  }
}

/** Whether only the database knows the value of a new record that has none. */
const isMadeInside = ({ field, autoIncrement, makeDefault, default: known }: Column): boolean =>
  field.hasDefault &&
  autoIncrement !== true &&
  makeDefault === undefined &&
  (known === undefined || known instanceof Sql)

const checks: Readonly<Partial<Record<Dialect, AssertSafe>>> = { sqlite: assertSqlite, mysql: assertMysql }
