import { Sequelize } from 'sequelize'
import { createPg } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { sequelizeContract } from './contract.ts'
import { defineLibrary } from './library.ts'

onPostgres('the contract of a source of Sequelize on PostgreSQL', () =>
  sequelizeContract('sequelize on PostgreSQL', async () => {
    const database = await createDatabase('library')
    const sequelize = new Sequelize(database.url, { logging: false, pool: { max: 4 } })
    defineLibrary(sequelize)
    for (const statement of createPg) await sequelize.query(statement)
    return {
      sequelize,
      server: 'pg',
      spoil: { statement: `update books set published_on = 'infinity'`, field: 'publishedOn' },
      close: async () => {
        await sequelize.close()
        await database.drop()
      },
    }
  }),
)
