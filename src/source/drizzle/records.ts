import type { RecordStore } from '../source.ts'
import { actingOn } from './acting.ts'
import type { BoundTable } from './bound-table.ts'
import { createIn, removeIn, takeIn, updateIn } from './changes.ts'
import { countIn } from './counts.ts'
import type { Database } from './database.ts'
import { estimateIn } from './estimates.ts'
import { listIn, readIn } from './reads.ts'
import type { Refusals } from './refusals.ts'

/** The acts on the records of one table. What the database refuses is told by `refusals`. */
export const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
  const acting = actingOn(database, table)
  const { recovering } = acting
  const read = readIn(acting)
  return Object.freeze<RecordStore>({
    list: recovering(listIn(acting), refusals.read),
    count: recovering(countIn(database, acting), refusals.read),
    estimate: estimateIn(database, acting),
    read: recovering(read, refusals.read),
    create: recovering(createIn(acting), refusals.create),
    update: recovering(updateIn(acting, read), refusals.update),
    remove: recovering(removeIn(acting), refusals.remove),
    take: recovering(takeIn(acting), refusals.remove),
  })
}
