import { DEFAULT, type Row, SourceError } from '../source.ts'
import { memberOf } from '../sql/tables.ts'
import type { MappedTable } from './describe.ts'
import { type Place, within } from './place.ts'
import { type Database, isSql } from './values.ts'

/** With the parts of the key that the database would compute. Only PostgreSQL returns them. */
export const withKey = async (
  where: Place,
  { model, members }: MappedTable,
  changes: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const { database } = where
  for (const name of database.family === 'pg' ? [] : model.primaryKey) {
    const value = changes[name] ?? members.get(name)?.attribute.defaultValue
    if (!isSql(database, value)) continue
    const sql = `select ${database.sequelize.escape(value as string)} as computed`
    const [row] = await database.select<{ readonly computed: unknown }>(sql, within(where))
    changes[name] = row?.computed
  }
  return changes
}

/** The values as instances have them. */
export const changesOf = (database: Database, mapped: MappedTable, given: Row): Record<string, unknown> => {
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const { codec } = memberOf(mapped, name)
    // PostgreSQL cannot store a null character, and Sequelize would store others in its place.
    if (database.family === 'pg' && typeof value === 'string' && value.includes('\0'))
      throw new SourceError('value', { fields: [name] })
    if (value === DEFAULT) changes[name] = defaultOf(database, mapped, name)
    else changes[name] = value === null ? null : codec.inInstance(value)
  }
  return changes
}

/** The default of an attribute, which Sequelize computes, else that of the database. */
const defaultOf = (
  { family, sequelizeLiteral }: Database,
  { defined, members }: MappedTable,
  name: string,
): unknown => {
  const { attribute } = members.get(name) ?? {}
  if (attribute?.defaultValue !== undefined) return defined.build({}).getDataValue(name as never)
  return family === 'sqlite' ? null : sequelizeLiteral('DEFAULT')
}
