import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MikroORM } from '@mikro-orm/sqlite'
import { createSqlite } from '../../contract/library.ts'
import { execute, mikroOrmContract } from './contract.ts'
import { libraryEntities } from './library.ts'

mikroOrmContract('MikroORM on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const orm = await MikroORM.init({
    dbName: join(folder, 'library.db'),
    entities: Object.values(libraryEntities('sqlite')),
    // MikroORM makes wrong SQL for a column with the name of an inherited function.
    schemaGenerator: { skipTables: ['oddities'] },
  })
  await orm.schema.create()
  await execute(orm.em.fork(), createSqlite.find((sql) => sql.includes('oddities')) ?? '')
  // The suite deletes records one by one, each in a transaction of its own.
  await execute(orm.em.fork(), 'pragma synchronous = off')
  return {
    orm,
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    // Columns of SQLite hold any number of digits.
    unenforced: ['value'],
    drop: async () => rmSync(folder, { recursive: true }),
  }
})
