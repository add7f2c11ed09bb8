import type { RecordStore } from '../source.ts'
import { actingOn } from './acting.ts'
import type { BoundTable } from './bound-table.ts'
import { createIn, removeIn, updateIn } from './changes.ts'
import type { Database } from './database.ts'
import { countIn, listIn, readIn } from './reads.ts'
import type { Refusals } from './refusals.ts'

/** The acts on the records of one table. What the database refuses is told by `refusals`. */
export const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
  const acting = actingOn(database, table)
  const { recovering } = acting
  const read = readIn(acting)
  return Object.freeze<RecordStore>({
    list: recovering(listIn(acting), refusals.read),
    count: recovering(countIn(acting), refusals.read),
    read: recovering(read, refusals.read),
    create: recovering(createIn(acting), refusals.create),
    update: recovering(updateIn(acting, read), refusals.update),
    remove: recovering(removeIn(acting), refusals.remove),
  })
}
