import type { Advice } from '../advice.ts'
import type { Database } from './database.ts'
import { mysql } from './dialect/mysql.ts'
import { pg } from './dialect/pg.ts'
import type { DialectRow } from './dialect/port.ts'
import { sqlite } from './dialect/sqlite.ts'
import type { Dialect } from './internals.ts'

export const dialectRows: Readonly<Record<Dialect, DialectRow>> = { sqlite, pg, mysql }

export const dialectOf = ({ dialect }: Database): DialectRow => dialectRows[dialect]

/** The tables that modelrest has for each dialect. */
const readyMade = new Map([
  ['User', 'usersTable as users'],
  ['AuditEntry', 'auditTable as auditEntries'],
])

export const adviceFor = (dialect: Dialect): Advice => ({
  declare: (model) =>
    `Add export { ${readyMade.get(model)} } from 'modelrest/drizzle/${dialect}' to your models`,
  columnName: "the argument of the column, such as text('…')",
  keyDefault: '$defaultFn(randomUUID)',
  isolation: 'Use a connection pool instead of a single connection, or another driver',
})
