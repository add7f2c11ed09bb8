import { MikroORM } from '@mikro-orm/postgresql'
import { createPg } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { execute, mikroOrmContract } from './contract.ts'
import { libraryEntities } from './library.ts'

onPostgres('the contract of a source of entities on PostgreSQL', () =>
  mikroOrmContract('MikroORM on PostgreSQL', async () => {
    const database = await createDatabase('library')
    const orm = await MikroORM.init({
      ...{ clientUrl: database.url, pool: { max: 4 } },
      entities: Object.values(libraryEntities('pg')),
    })
    for (const statement of createPg) await execute(orm.em.fork(), statement)
    return {
      orm,
      server: 'pg',
      spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
      drop: database.drop,
    }
  }),
)
