import type { Model as Instance } from 'sequelize'
import { ownValue } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import { isMysql, itself } from '../sql/codecs.ts'
import { whereOf } from '../sql/conditions.ts'
import { countedIn, inBatches, insertedByKeys, type Keyed, readInOrder } from '../sql/many.ts'
import { type Raw, returned, rowOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition, memberOf } from '../sql/tables.ts'
import { type ColumnToWrite, type MappedTable, stampOf } from './describe.ts'
import { isHeard, isRewritten, needsRecord } from './hooks.ts'
import { newScope, type Place, within } from './place.ts'
import { type Database, isSql, literalOf } from './values.ts'

type Changes = Readonly<Record<string, unknown>>

/** Whether nothing hears that Sequelize writes, or replaces it. Hooks may be added at any time. */
export const isUnheard = (
  { sequelize, Model }: Database,
  { defined, columnsToWrite }: MappedTable,
  act: 'create' | 'update',
): boolean =>
  columnsToWrite !== undefined &&
  !isHeard(sequelize, defined, act === 'create' ? 'create' : 'bulk') &&
  defined[act] === Model[act] &&
  Reflect.get(defined.prototype, 'save') === Model.prototype.save

/** Whether getters or hooks show other values than those that are stored. */
const isShown = ({ sequelize }: Database, { defined }: MappedTable): boolean =>
  isHeard(sequelize, defined, 'read') || isRewritten(defined)

/** Whether a write is one statement of our own that returns the record, as Sequelize's calls and a read would. */
export const isReturned = (database: Database, mapped: MappedTable, act: 'create' | 'update'): boolean =>
  hasReturning(database) &&
  isUnheard(database, mapped, act) &&
  !isShown(database, mapped) &&
  !(act === 'update' && needsRecord(database.sequelize, mapped.defined))

const hasReturning = ({ family }: Database): boolean => !isMysql(family)

/** A new record, as Sequelize would write it. */
interface NewRecord extends Keyed {
  readonly columns: readonly WrittenColumn[]
}

interface WrittenColumn extends ColumnToWrite {
  readonly value: unknown
}

/** Writes by statements of our own, of values that the validators of the model accept. */
export const writesOf = (place: Place, mapped: MappedTable) => {
  const { database } = place
  const { family } = database
  const { defined, model, table, columnsToWrite = [] } = mapped
  const all = valuesOf(database, mapped)

  /** What Sequelize would write. */
  const written = async (act: 'create' | 'update', changes: Changes): Promise<readonly WrittenColumn[]> => {
    const record = defined.build(changes)
    const [createdAt, updatedAt] = [stampOf(defined, 'createdAt'), stampOf(defined, 'updatedAt')]
    const stamps = act === 'update' || given(record, createdAt) ? [updatedAt] : [createdAt, updatedAt]
    const now = new Date()
    for (const name of stamps) if (name !== undefined) record.setDataValue(name as never, now as never)
    const isWritten = (name: string): boolean =>
      act === 'create' || Object.hasOwn(changes, name) || name === updatedAt
    const skip = Object.keys(defined.getAttributes()).filter((name) => !isWritten(name))
    await record.validate({ hooks: false, skip })
    return columnsToWrite.flatMap((column) => {
      const { name, attribute } = column
      const value = given(record, name)
      const isMade = value === null && (attribute.primaryKey || attribute.autoIncrement)
      return value === undefined || isMade || !isWritten(name) ? [] : [{ ...column, value }]
    })
  }

  const run = async (sql: string, bind: unknown[], values = all): Promise<readonly Row[]> => {
    const statement = `${sql} returning ${returned(database, values)}`
    const rows = await database.select<Raw>(statement, { ...within(place), bind })
    return rows.map((raw) => rowOf(mapped, values, raw))
  }

  /** On SQLite, Sequelize takes no rows from what begins with `insert into`. */
  const insertSql = (records: readonly Pick<NewRecord, 'columns'>[], bind?: unknown[]): string => {
    const used = new Set(records.flatMap(({ columns }) => columns.map(({ sql }) => sql)))
    const tuples = records.map(({ columns }) => {
      const own = new Map(columns.map((column) => [column.sql, column]))
      return `(${[...used].map((sql) => sqlOf(database, own.get(sql), bind))})`
    })
    const isEmpty = used.size === 0 && !isMysql(family)
    return `insert\tinto ${table} ${isEmpty ? 'default values' : `(${[...used]}) values ${tuples}`}`
  }

  const keyOf = (columns: readonly WrittenColumn[]): NewRecord['key'] =>
    model.primaryKey.map((name) => {
      const value = columns.find((column) => column.name === name)?.value
      const isKnown = value !== undefined && !isSql(database, value)
      return isKnown ? memberOf(mapped, name).codec.ofInstance(value) : undefined
    })

  /** SQLite cannot leave columns of single records to their defaults. */
  const isAlike = ({ columns }: NewRecord, other: NewRecord): boolean => {
    if (isMysql(family)) return true
    if (columns.length === 0 || other.columns.length === 0) return false
    return (
      family === 'pg' || columns.map(({ sql }) => sql).join() === other.columns.map(({ sql }) => sql).join()
    )
  }

  const createBatch =
    (statements: Pick<RecordStore, 'create' | 'list' | 'read'>) =>
    async (records: readonly NewRecord[]): Promise<readonly Row[]> => {
      if (hasReturning(database)) {
        const bind: unknown[] = []
        const sql = insertSql(records, bind)
        if (!isShown(database, mapped)) return run(sql, bind)
        const keys = await run(sql, bind, valuesOf(database, mapped, undefined, model.primaryKey))
        return readInOrder(
          model,
          keys.map((key) => model.primaryKey.map((name) => ownValue(key, name))),
          statements,
        )
      }
      return insertedByKeys(records, {
        ...{ model, inForm: countedIn(mapped), statements },
        isCounted: model.primaryKey.every((name) => memberOf(mapped, name).attribute.autoIncrement === true),
        // mysql2 would keep a prepared statement for each number of records.
        insert: () => database.insert(insertSql(records), within(place)),
        select: (sql) => database.select<Raw>(sql, within(place)),
      })
    }

  return {
    create: async (changes: Changes): Promise<Row> => {
      const bind: unknown[] = []
      const sql = insertSql([{ columns: await written('create', changes) }], bind)
      return (await run(sql, bind))[0] ?? {}
    },

    createMany: async (
      rows: readonly (readonly [row: Row, changes: Changes])[],
      statements: Pick<RecordStore, 'create' | 'list' | 'read'>,
    ): Promise<readonly Row[]> => {
      const records: NewRecord[] = []
      for (const [row, changes] of rows) {
        const columns = await written('create', changes)
        records.push({ row, columns, key: keyOf(columns) })
      }
      return inBatches(records, columnsToWrite.length, createBatch(statements), isAlike)
    },

    update: async (key: Key, changes: Changes, guard: Condition): Promise<Row | undefined> => {
      const bind: unknown[] = []
      const columns = await written('update', changes)
      const set = columns.map((column) => `${column.sql} = ${sqlOf(database, column, bind)}`)
      const scope = newScope(place, mapped)
      const where = whereOf(scope, mapped, table, keyCondition(model, key), guard)
      const living = [where, ...mapped.living(table, scope)].join(' and ')
      return (await run(`update ${table} set ${set} where ${living}`, bind))[0]
    },
  }
}

const given = (record: Instance, name = ''): unknown => record.getDataValue(name as never)

/** What Sequelize does not type. */
interface Binding {
  bindParam?(value: unknown, options: object): string
}

/**
 * A value in SQL: an expression, or a parameter as the type of the attribute binds it.
 *
 * @param bind takes the parameters. @default they become literals
 */
const sqlOf = (database: Database, column: WrittenColumn | undefined, bind?: unknown[]): string => {
  if (column === undefined) return 'default'
  const { value, attribute, name } = column
  const bindParam = (given: unknown): string =>
    bind === undefined ? literalOf(database, given, name) : `$${bind.push(given)}`
  const { timezone } = database
  const type = attribute.type as Binding
  if (isSql(database, value)) return database.sequelize.escape(value as string)
  if (value === null || type.bindParam === undefined) return bindParam(value)
  return type.bindParam(value, { bindParam, timezone, field: attribute, escape: itself })
}
