import { type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../../../query/ast.ts'
import type { RecordStore } from '../../source.ts'
import type { Acting } from '../acting.ts'
import { changeOf, takeIn } from '../changes.ts'
import { guardedKeySql, guardShape, keyValues } from '../clauses.ts'
import type { Database } from '../database.ts'
import type { NextSlot } from '../where.ts'
import { asOne } from './as-one.ts'
import { flavourOf } from './flavour.ts'
import { outcome } from './outcome.ts'

type Remove = (key: readonly unknown[], guard: Condition, inside?: Database) => Promise<boolean>

/** Deletes a record. */
export const mysqlRemoveIn = (acting: Acting): Remove => {
  const { table, statements } = acting
  const removed = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  return async (key, guard, inside) => {
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL => sql`delete from ${table.table}${guardedKeySql(table, guard, next)}`
    const result = await removed({ key: guardShape(table, guard, values), values, build }, inside)
    return result !== undefined && result.changed > 0
  }
}

/** Deletes a record, and reads it before where the database does not give it. */
export const mysqlTakeIn = (database: Database, acting: Acting): RecordStore['take'] => {
  const { table, columns, readFirst, statements } = acting
  const found = statements({ fetch: 'all', read: readFirst })
  const [returning, remove] = [takeIn(acting), mysqlRemoveIn(acting)]
  return async (key, guard) => {
    if ((await flavourOf(database)) === 'mariadb') return await returning(key, guard)
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL =>
      sql`select ${columns} from ${table.table}${guardedKeySql(table, guard, next)}${table.dialect.locked}`
    return await asOne(database, async (inside) => {
      const record = await found({ key: guardShape(table, guard, values), values, build }, inside)
      return record !== undefined && (await remove(key, guard, inside)) ? record : undefined
    })
  }
}
