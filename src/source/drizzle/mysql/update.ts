import { type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../../../query/ast.ts'
import type { RecordStore } from '../../source.ts'
import type { Acting } from '../acting.ts'
import { changeOf, isEmpty } from '../changes.ts'
import { guardedKeySql, guardShape, keyValues } from '../clauses.ts'
import type { Database } from '../database.ts'
import type { NextSlot } from '../where.ts'
import { assignedSql, updateWrites } from '../writes.ts'
import { asOne } from './as-one.ts'
import { writtenKey } from './inserted-key.ts'
import { outcome } from './outcome.ts'
import { rereadIn } from './reread.ts'

/** Whether there is a record, which nobody else changes then. */
const heldIn = ({ table, statements }: Acting) => {
  const held = statements({ fetch: 'all', read: (rows) => rows.length > 0 })
  return (key: readonly unknown[], guard: Condition, inside: Database) => {
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL =>
      sql`select 1 from ${table.table}${guardedKeySql(table, guard, next)}${table.dialect.locked}`
    return held({ key: guardShape(table, guard, values), values, build }, inside)
  }
}

/** Changes a record, and reads it back behind it. */
export const mysqlUpdateIn = (
  database: Database,
  acting: Acting,
  read: RecordStore['read'],
): RecordStore['update'] => {
  const { table, statements } = acting
  const updated = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  const [reread, held] = [rereadIn(acting), heldIn(acting)]
  return async (key, row, guard) => {
    if (isEmpty(row)) return await read(key, guard)
    const writes = updateWrites(table, row)
    const values = [...writes.values, ...keyValues(table, key)]
    const shape = `${writes.key} ${guardShape(table, guard, values)}`
    const build = (next: NextSlot): SQL =>
      sql`update ${table.table} set ${assignedSql(writes, next)}${guardedKeySql(table, guard, next)}`
    const parts = writtenKey(table, writes, key)
    return await asOne(database, async (inside) => {
      const change = () => updated({ key: shape, values, build }, inside)
      // No record is changed by what it has already, as some connections count: then it is held, and changed for sure.
      if ((await change())?.changed === 0) {
        if ((await held(key, guard, inside)) !== true) return undefined
        await change()
      }
      return await reread(parts, inside)
    })
  }
}
