import mariadb from 'mariadb'
import { Sequelize } from 'sequelize'
import { createMysql } from '../../contract/library.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { sequelizeContract } from './contract.ts'
import { defineLibrary } from './library.ts'

/** What a `timestamp` holds. */
const isHeld = (date: Date): boolean => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 2038

onEachMysql('the contract of a source of Sequelize', (kind) =>
  sequelizeContract(`sequelize on ${nameOf(kind)}`, async () => {
    const database = await createMysqlDatabase('library', { kind })
    const sequelize = new Sequelize(database.url.replace(/^mysql/, kind), {
      ...{ dialect: kind, logging: false, pool: { max: 4 } },
      ...(kind === 'mariadb' && { dialectModule: mariadb }),
    })
    defineLibrary(sequelize)
    for (const statement of createMysql) await sequelize.query(statement)
    return {
      sequelize,
      server: kind,
      spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
      holds: (_field, value) => !(value instanceof Date) || isHeld(value),
      close: async () => {
        await sequelize.close()
        await database.drop()
      },
    }
  }),
)
