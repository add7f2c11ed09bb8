import type { RecordStore } from '../../source.ts'
import type { Acting } from '../acting.ts'
import type { Database } from '../database.ts'
import { mysqlCreateIn } from './create.ts'
import { mysqlRemoveIn, mysqlTakeIn } from './remove.ts'
import { mysqlUpdateIn } from './update.ts'

/** Changes on MySQL, which gives nothing back, and MariaDB, which gives back what it inserts and deletes. */
export const mysqlChanges = (
  database: Database,
  acting: Acting,
  read: RecordStore['read'],
): Pick<RecordStore, 'create' | 'update' | 'remove' | 'take'> => {
  const remove = mysqlRemoveIn(acting)
  return {
    create: mysqlCreateIn(database, acting),
    update: mysqlUpdateIn(database, acting, read),
    remove: (key, guard) => remove(key, guard),
    take: mysqlTakeIn(database, acting),
  }
}
