import { ownValue } from '../../model/objects.ts'
import type { RecordStore, Row } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import { countedIn, inBatches, insertedByKeys, insertSql, type Keyed, readInOrder } from '../sql/many.ts'
import { memberOf } from '../sql/tables.ts'
import { changesOf, sqlOf, type WrittenColumn, writtenIn } from './changes.ts'
import type { MappedTable } from './describe.ts'
import { isHeard, isRewritten, needsRecord } from './hooks.ts'
import { type Place, returning, within } from './place.ts'
import { type Database, isSql } from './values.ts'

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
  isHeard(sequelize, defined, 'read') || isHeard(sequelize, defined, 'find') || isRewritten(defined)

/** Whether a write is one statement of our own that returns the record, as Sequelize's calls and a read would. */
export const isReturned = (database: Database, mapped: MappedTable, act: 'create' | 'update'): boolean =>
  hasReturning(database) &&
  isUnheard(database, mapped, act) &&
  !isShown(database, mapped) &&
  !(act === 'update' && needsRecord(database.sequelize, mapped.defined))

const hasReturning = ({ family }: Database): boolean => !isMysql(family)

/** A new record, as Sequelize would write it. */
interface NewRecord {
  readonly row: Row
  readonly columns: readonly WrittenColumn[]
}

/** Stores records by statements of our own, of values that the validators of the model accept. */
export const createMany = async (
  place: Place,
  mapped: MappedTable,
  rows: readonly Row[],
  statements: Pick<RecordStore, 'create' | 'list' | 'read'>,
): Promise<readonly Row[]> => {
  const { database } = place
  const { family } = database
  const { model, columnsToWrite = [] } = mapped

  const inserting = (records: readonly NewRecord[], bind?: unknown[]): string => {
    const cells = records.map(({ columns }) =>
      columns.map((one) => [database.quoted(one.column), sqlOf(database, one, bind)] as const),
    )
    return insertSql(database, mapped, cells)
  }

  const keyed = ({ row, columns }: NewRecord): Keyed => {
    const key = model.primaryKey.map((name) => {
      const value = columns.find((column) => column.name === name)?.value
      const isKnown = value !== undefined && !isSql(database, value)
      return isKnown ? memberOf(mapped, name).codec.ofEntity(value) : undefined
    })
    return { row, key }
  }

  const stored = async (records: readonly NewRecord[]): Promise<readonly Row[]> => {
    if (!hasReturning(database))
      return insertedByKeys(records.map(keyed), {
        ...{ model, inForm: countedIn(mapped), statements },
        isCounted: model.primaryKey.every((name) => memberOf(mapped, name).attribute.autoIncrement === true),
        // mysql2 would keep a prepared statement for each number of records.
        insert: () => database.insert(inserting(records), within(place)),
        select: (sql) => database.select(sql, within(place)),
      })
    const bind: unknown[] = []
    const sql = inserting(records, bind)
    const rows = await returning(place, mapped, sql, bind)
    if (!isShown(database, mapped)) return rows
    const keys = rows.map((row) => model.primaryKey.map((name) => ownValue(row, name)))
    return readInOrder(model, keys, statements)
  }

  /** SQLite cannot leave columns of single records to their defaults. */
  const isAlike = (one: NewRecord, other: NewRecord): boolean =>
    family !== 'sqlite' ||
    (one.columns.length > 0 &&
      one.columns.map(({ column }) => column).join() === other.columns.map(({ column }) => column).join())

  const records: NewRecord[] = []
  for (const row of rows)
    records.push({ row, columns: await writtenIn(mapped, 'create', changesOf(database, mapped, row)) })
  return inBatches(records, columnsToWrite.length, stored, isAlike)
}
