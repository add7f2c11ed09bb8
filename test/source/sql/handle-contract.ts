import type { ModelSource, Row } from '../../../src/entry/source.ts'
import { type SqlDatabase, sqlSource } from '../../../src/entry/sql.ts'
import { spellings } from '../../../src/source/sql/text.ts'
import { type OpenedSource, sourceContract } from '../../../src/testing/index.ts'
import { runner } from '../../runner.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { settingsOf } from '../settings.ts'
import { bySql, type Spoil } from '../spoiled.ts'
import { libraryTables } from './library-tables.ts'

/** A database on an empty library. */
export interface Opened
  extends Pick<OpenedSource, 'close' | 'holds' | 'kill' | 'reopen' | 'unenforced' | 'useHandle'> {
  readonly database: SqlDatabase
  readonly spoil: Spoil
  /** The server with its settings. Absent: SQLite. */
  readonly server?: MysqlKind | 'pg'
  /** Runs a statement by the handle. */
  execute(db: unknown, statement: string): unknown
}

interface Fragments {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

const findingIn =
  ({ dialect, run }: SqlDatabase): NonNullable<OpenedSource['find']> =>
  async (name, condition) => {
    const { quoted, parameter } = spellings[dialect]
    const { strings, values } = condition as Fragments
    const found = libraryTables(dialect).find((one) => one.name === name)
    const keys = found?.columns.filter((column) => found.primaryKey.includes(column.name)) ?? []
    const list = keys.map((key) => quoted(key.column ?? key.name)).join(', ')
    const where = strings.map((text, at) => (at === 0 ? text : parameter(at) + text)).join('')
    const rows = await run(`select ${list} from ${quoted(found?.table ?? '')} where ${where}`, values, 'all')
    return rows.map(
      (row): Row =>
        Object.fromEntries(Object.values(Object(row)).map((value, at) => [keys[at]?.name, value])),
    )
  }

/** @param tables @default as an application states them */
export const sourceOver = (database: SqlDatabase, tables = libraryTables(database.dialect)) =>
  sqlSource({
    ...{ name: 'handleModels', database, tables, migrate: 'migrate up' },
    conditionOf: (strings, values): Fragments => ({ strings, values }),
  })

/** @param make the source over a database. @default that of the tables that an application states */
export const handleContract = (
  name: string,
  open: () => Promise<Opened>,
  make: (database: SqlDatabase) => ModelSource | Promise<ModelSource> = (database) => sourceOver(database),
): void =>
  sourceContract(runner, {
    ...{ name, extent: 'short' },
    open: async () => {
      const { database, spoil, server, execute, ...opened } = await open()
      const { breakValue, drop } = bySql((statement) => execute(database.handle, statement))
      const source = await make(database)
      return {
        ...{ source, ...opened, breakValue: breakValue(spoil), drop, find: findingIn(database) },
        ...(server && settingsOf(server, source, execute)),
      }
    },
  })
