import type { Advice } from '../advice.ts'
import type { Dialect } from '../sql/text.ts'

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
