import { DataSource } from 'typeorm'
import { createPg } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { typeormContract } from './contract.ts'
import { libraryEntities } from './library.ts'

onPostgres('the contract of a source of entities on PostgreSQL', () =>
  typeormContract('typeorm on PostgreSQL', async () => {
    const database = await createDatabase('library')
    const dataSource = new DataSource({
      ...{ type: 'postgres', url: database.url, poolSize: 4 },
      entities: Object.values(libraryEntities('pg')),
    })
    await dataSource.initialize()
    for (const statement of createPg) await dataSource.query(statement)
    return {
      dataSource,
      server: 'pg',
      spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
      close: async () => {
        if (dataSource.isInitialized) await dataSource.destroy()
        await database.drop()
      },
    }
  }),
)
