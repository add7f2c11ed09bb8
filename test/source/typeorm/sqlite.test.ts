import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataSource } from 'typeorm'
import { typeormContract } from './contract.ts'
import { libraryEntities } from './library.ts'

typeormContract('typeorm on better-sqlite3', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const dataSource = new DataSource({
    ...{ type: 'better-sqlite3', database: join(folder, 'library.db'), synchronize: true },
    entities: Object.values(libraryEntities('sqlite')),
  })
  await dataSource.initialize()
  // The suite deletes records one by one, each in a transaction of its own.
  await dataSource.query('pragma synchronous = off')
  return {
    dataSource,
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    // Columns of SQLite hold any number of digits.
    unenforced: ['value'],
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy()
      rmSync(folder, { recursive: true })
    },
  }
})
