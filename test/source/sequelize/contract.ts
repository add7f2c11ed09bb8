import type { Sequelize, WhereOptions } from 'sequelize'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { Row } from '../../../src/entry/source.ts'
import { type OpenedSource, sourceContract } from '../../../src/entry/testing.ts'
import { runner } from '../../runner.ts'
import { bySql, type Spoil } from '../spoiled.ts'

/** An instance of Sequelize on an empty library. */
export interface Opened {
  readonly sequelize: Sequelize
  readonly spoil: Spoil
  readonly holds?: OpenedSource['holds']
  readonly unenforced?: OpenedSource['unenforced']
  close(): Promise<unknown>
}

export const sequelizeContract = (name: string, open: () => Promise<Opened>): void =>
  sourceContract(runner, {
    name,
    open: async () => {
      const { sequelize, spoil, holds, unenforced, close } = await open()
      const sql = bySql((statement) => sequelize.query(statement))
      return {
        source: sequelizeModels(sequelize),
        close,
        kill: () => sequelize.close(),
        breakValue: sql.breakValue(spoil),
        drop: sql.drop,
        find: async (model, condition): Promise<readonly Row[]> =>
          (await sequelize.model(model).findAll({ where: condition as WhereOptions })).map((found) =>
            found.get(),
          ),
        useHandle: (db) => Reflect.get(Object(db), 'id'),
        ...(holds && { holds }),
        ...(unenforced && { unenforced }),
      }
    },
  })
