import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Row } from '../../source.ts'
import type { Acting } from '../acting.ts'
import type { Database } from '../database.ts'
import type { NextSlot } from '../where.ts'
import type { KeyPart } from './inserted-key.ts'

type Reread = (parts: readonly KeyPart[], inside: Database) => Promise<Row | undefined>

/** Reads a record back by the key that was just written, which may be stored in another form: a space less at its end. */
export const rereadIn = ({ table, columns, readFirst, statements }: Acting): Reread => {
  const reread = statements({ fetch: 'all', read: readFirst })
  return (parts, inside) => {
    const values = parts.flatMap((part) => (part === 'counted' ? [] : [part.value]))
    const equal = (next: NextSlot): SQL[] =>
      table.key.map(({ compared, comparedSlot }, place): SQL => {
        const value: SQLChunk = parts[place] === 'counted' ? sql`last_insert_id()` : comparedSlot(next())
        return sql`${compared} = ${value}`
      })
    const found = reread(
      {
        key: parts.map((part) => (part === 'counted' ? 'c' : 'v')).join(''),
        values,
        build: (next) =>
          sql`select ${columns} from ${table.table} where ${sql.join(equal(next), sql` and `)}`,
      },
      inside,
    )
    return Promise.resolve(found)
  }
}
