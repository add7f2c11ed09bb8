import { sql } from 'drizzle-orm'
import type { RecordStore } from '../../source.ts'
import type { Acting } from '../acting.ts'
import { changeOf, createIn, notStored } from '../changes.ts'
import type { Database } from '../database.ts'
import { insertedSql, insertWrites } from '../writes.ts'
import { asOne } from './as-one.ts'
import { flavourOf } from './flavour.ts'
import { type KeyPart, writtenKey } from './inserted-key.ts'
import { outcome } from './outcome.ts'
import { rereadIn } from './reread.ts'

/** Stores a record, and reads it back behind it where the database does not give it. */
export const mysqlCreateIn = (database: Database, acting: Acting): RecordStore['create'] => {
  const { table, statements } = acting
  const inserted = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  const reread = rereadIn(acting)
  const returning = createIn(acting)

  /** Where others use the same connection, the last number may be theirs by the time it is asked for. */
  const fixed = (part: KeyPart, counted: unknown, inside: Database): KeyPart => {
    if (part !== 'counted' || inside.inTransaction) return part
    if (typeof counted === 'number' && !Number.isSafeInteger(counted))
      throw new Error('The driver does not say the key exactly: set its supportBigNumbers.')
    return { value: counted }
  }

  return async (row) => {
    if ((await flavourOf(database)) === 'mariadb') return await returning(row)
    const writes = insertWrites(table, row)
    const parts = writtenKey(table, writes)
    const record = await asOne(database, async (inside) => {
      const stored = await inserted(
        {
          key: writes.key,
          values: writes.values,
          build: (next) => sql`insert into ${table.table} ${insertedSql(table, writes, next)}`,
        },
        inside,
      )
      return await reread(
        parts.map((part) => fixed(part, stored?.counted, inside)),
        inside,
      )
    })
    return record ?? notStored(table.model.name)
  }
}
