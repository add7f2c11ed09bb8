import type { Model as Instance } from 'sequelize'
import { DEFAULT, type Row, SourceError } from '../source.ts'
import { isShownAgain, itself } from '../sql/codecs.ts'
import { arrayLiteral } from '../sql/lists.ts'
import { memberOf } from '../sql/tables.ts'
import { sql } from '../sql/text.ts'
import type { MappedDefined } from './describe.ts'
import { type Execution, within } from './execution.ts'
import { stampOf } from './fields.ts'
import type { AttributeColumn } from './foreign-keys.ts'
import { isParsedValue } from './parsed.ts'
import { isSql, literalSql, type SequelizeDatabase, typeKeyOf } from './values.ts'

/** Values by attribute, as instances have them. */
type AttributeValues = Readonly<Record<string, unknown>>

/** With the parts of the key that the database would compute. Only PostgreSQL returns them. */
export const withComputedKey = async (
  where: Execution,
  { model, members }: MappedDefined,
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
export const changesOf = (
  database: SequelizeDatabase,
  mapped: MappedDefined,
  given: Row,
): Record<string, unknown> => {
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const { codec, field } = memberOf(mapped, name)
    // PostgreSQL cannot store a null character, and Sequelize would store others in its place.
    if (database.family === 'pg' && typeof value === 'string' && value.includes('\0'))
      throw new SourceError('value', { fields: [name] })
    if (value === DEFAULT) changes[name] = defaultOf(database, mapped, name)
    else if (value !== null && field.anyJson && !isKept(mapped, name, value))
      throw new SourceError('value', { fields: [name] })
    else changes[name] = value === null ? null : codec.inEntity(value)
  }
  return changes
}

/** Whether the value is one of the type, or the getter shows what the setter makes of it. */
const isKept = ({ defined, members }: MappedDefined, name: string, value: unknown): boolean => {
  const { attribute } = members.get(name) ?? {}
  if (attribute === undefined) return false
  const key = typeKeyOf(attribute)
  try {
    const stored = given(defined.build({ [name]: value }), name)
    const isParsed = isParsedValue(stored, attribute)
    if (isParsed === false || attribute.get === undefined) return isParsed !== false
    const kept = isParsed || key.startsWith('JSON') ? JSON.stringify(stored) : stored
    const show = (): unknown => defined.build({ [name]: stored }, { raw: true }).get(name)
    return isShownAgain(value, kept, show, key === 'ARRAY')
  } catch {
    return false
  }
}

/** The default of an attribute, which Sequelize computes, else that of the database. */
const defaultOf = (
  { family, sequelizeLiteral }: SequelizeDatabase,
  { defined, members }: MappedDefined,
  name: string,
): unknown => {
  const { attribute } = members.get(name) ?? {}
  if (attribute?.defaultValue !== undefined) return defined.build({}).getDataValue(name as never)
  return family === 'sqlite' ? null : sequelizeLiteral('DEFAULT')
}

interface WrittenAttribute extends AttributeColumn {
  /** Of its attribute. */
  readonly name: string
  readonly value: unknown
}

/** What Sequelize would write, if its validators accept it. */
const writtenIn = async (
  { defined, columnsToWrite = [] }: MappedDefined,
  act: 'create' | 'update',
  changes: AttributeValues,
): Promise<readonly WrittenAttribute[]> => {
  const record = defined.build(changes)
  const [createdAt, updatedAt] = [stampOf(defined, 'createdAt'), stampOf(defined, 'updatedAt')]
  const stamps = act === 'update' || given(record, createdAt) ? [updatedAt] : [createdAt, updatedAt]
  const now = new Date()
  for (const name of stamps) if (name !== undefined) record.setDataValue(name as never, now as never)
  const isWritten = (name: string): boolean =>
    act === 'create' || Object.hasOwn(changes, name) || name === updatedAt
  const skip = Object.keys(defined.getAttributes()).filter((name) => !isWritten(name))
  await record.validate({ hooks: false, skip })
  return columnsToWrite.flatMap(([name, column]) => {
    const { attribute } = column
    const value = given(record, name)
    const isMade = value === null && (attribute.primaryKey || attribute.autoIncrement)
    return value === undefined || isMade || !isWritten(name) ? [] : [{ ...column, name, value }]
  })
}

const given = (record: Instance, name = ''): unknown => record.getDataValue(name as never)

/** The row that the engine writes for it: keys as they are, because the engine reads the record by them again. */
export const writtenRow = async (
  database: SequelizeDatabase,
  mapped: MappedDefined,
  act: 'create' | 'update',
  changes: AttributeValues,
): Promise<Row> => {
  const columns = await writtenIn(mapped, act, changes)
  return Object.fromEntries(
    columns.map((column) => {
      const { name, value } = column
      const isKey = mapped.model.primaryKey.includes(name) && !isSql(database, value)
      const own = isKey ? memberOf(mapped, name).codec.ofEntity(value) : sql.raw(sqlOf(database, column))
      return [name, own]
    }),
  )
}

/** What Sequelize does not type. */
interface Binding {
  bindParam?(value: unknown, options: object): string
}

/** A value in SQL: an expression, or a literal as the type of the attribute binds it. */
const sqlOf = (database: SequelizeDatabase, { value, attribute, name }: WrittenAttribute): string => {
  const bindParam = (given: unknown): string =>
    literalSql(database, Array.isArray(given) ? arrayLiteral(given) : given, name)
  const { timezone } = database
  const type = attribute.type as Binding
  if (isSql(database, value)) return database.sequelize.escape(value as string)
  if (value === null || type.bindParam === undefined) return bindParam(value)
  return type.bindParam(value, { bindParam, timezone, field: attribute, escape: itself })
}
