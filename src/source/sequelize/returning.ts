import type { Model as Instance } from 'sequelize'
import type { Condition } from '../../query/ast.ts'
import type { Row } from '../source.ts'
import { whereOf } from '../sql/conditions.ts'
import { type Raw, returned, rowOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition } from '../sql/tables.ts'
import { type MappedTable, stampOf } from './describe.ts'
import { isHeard, isRewritten, needsRecord } from './hooks.ts'
import { newScope, type Place, within } from './reads.ts'
import { type Attribute, type Database, isSql } from './values.ts'

type Changes = Readonly<Record<string, unknown>>

/**
 * Whether one statement of our own that returns the record does what Sequelize's calls and a read would do: nothing hears them,
 * converts values on their way, or replaces them. Hooks may be added at any time.
 */
export const isReturned = (
  { sequelize, Model }: Database,
  { defined, columnsToWrite }: MappedTable,
  act: 'create' | 'update',
): boolean =>
  columnsToWrite !== undefined &&
  !isHeard(sequelize, defined, act === 'create' ? 'create' : 'bulk') &&
  !isHeard(sequelize, defined, 'read') &&
  !(act === 'create' ? isRewritten(defined) : needsRecord(sequelize, defined)) &&
  defined[act] === Model[act] &&
  Reflect.get(defined.prototype, 'save') === Model.prototype.save

/** Writes for `isReturned`, of values that the validators of the model accept. */
export const returning = (place: Place, mapped: MappedTable) => {
  const { database } = place
  const { defined, model, table, columnsToWrite = [] } = mapped
  const values = valuesOf(database, mapped)

  /** What Sequelize would write: columns with the SQL of their values, and the parameters in it. */
  const written = async (act: 'create' | 'update', changes: Changes) => {
    const record = defined.build(changes)
    const [createdAt, updatedAt] = [stampOf(defined, 'createdAt'), stampOf(defined, 'updatedAt')]
    const stamps = act === 'update' || given(record, createdAt) ? [updatedAt] : [createdAt, updatedAt]
    const now = new Date()
    for (const name of stamps) if (name !== undefined) record.setDataValue(name as never, now as never)
    const isWritten = (name: string): boolean =>
      act === 'create' || Object.hasOwn(changes, name) || name === updatedAt
    const skip = Object.keys(defined.getAttributes()).filter((name) => !isWritten(name))
    await record.validate({ hooks: false, skip })
    const bind: unknown[] = []
    const columns = columnsToWrite.flatMap(({ name, attribute, sql }) => {
      const value = given(record, name)
      const isMade = value === null && (attribute.primaryKey || attribute.autoIncrement)
      if (value === undefined || isMade || !isWritten(name)) return []
      return [{ sql, value: sqlOf(database, attribute, value, bind) }]
    })
    return { columns, bind }
  }

  const run = async (sql: string, bind: unknown[]): Promise<Row | undefined> => {
    const statement = `${sql} returning ${returned(database, values)}`
    const [raw] = await database.select<Raw>(statement, { ...within(place), bind })
    return raw && rowOf(mapped, values, raw)
  }

  return {
    create: async (changes: Changes): Promise<Row> => {
      const { columns, bind } = await written('create', changes)
      const [names, all] = [columns.map(({ sql }) => sql), columns.map(({ value }) => value)]
      const what = columns.length === 0 ? 'default values' : `(${names}) values (${all})`
      // On SQLite, Sequelize takes no rows from what begins with `insert into`.
      return (await run(`insert\tinto ${table} ${what}`, bind)) ?? {}
    },

    update: async (key: Key, changes: Changes, guard: Condition): Promise<Row | undefined> => {
      const { columns, bind } = await written('update', changes)
      const scope = newScope(place, mapped)
      const where = whereOf(scope, mapped, table, keyCondition(model, key), guard)
      const all = [where, ...mapped.living(table, scope)].join(' and ')
      const set = columns.map(({ sql, value }) => `${sql} = ${value}`)
      return run(`update ${table} set ${set} where ${all}`, bind)
    },
  }
}

const given = (record: Instance, name = ''): unknown => record.getDataValue(name as never)

/** What Sequelize does not type. */
interface Binding {
  bindParam?(value: unknown, options: object): string
}

/** A value in SQL: an expression, or a parameter as the type of the attribute binds it. */
const sqlOf = (database: Database, attribute: Attribute, value: unknown, bind: unknown[]): string => {
  const bindParam = (given: unknown): string => `$${bind.push(given)}`
  const { timezone } = database
  const type = attribute.type as Binding
  if (isSql(database, value)) return database.sequelize.escape(value as string)
  if (value === null || type.bindParam === undefined) return bindParam(value)
  return type.bindParam(value, { bindParam, timezone, field: attribute, escape: itself })
}

const itself = (value: unknown): unknown => value
