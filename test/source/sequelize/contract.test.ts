import { Sequelize, type Transaction, type WhereOptions } from 'sequelize'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { Row } from '../../../src/entry/source.ts'
import { sequelizeOptions } from '../../http/orm-places.ts'
import { ormContract } from '../orm-contract.ts'
import { defineLibrary } from './library.ts'

ormContract('Sequelize', async (place) => {
  const sequelize = new Sequelize(sequelizeOptions(place))
  defineLibrary(sequelize)
  if (place.kind === 'sqlite') await sequelize.sync()
  return {
    source: sequelizeModels(sequelize),
    execute: (sql, db) => sequelize.query(sql, { transaction: (db as Transaction | undefined) ?? null }),
    ...{ kill: () => sequelize.close(), end: () => sequelize.close() },
    find: async (model, condition): Promise<readonly Row[]> =>
      (await sequelize.model(model).findAll({ where: condition as WhereOptions })).map((found) =>
        found.get(),
      ),
    useHandle: (db) => Reflect.get(Object(db), 'id'),
  }
})
