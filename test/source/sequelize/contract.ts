import type { Sequelize, Transaction, WhereOptions } from 'sequelize'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { Row } from '../../../src/entry/source.ts'
import { type OpenedSource, sourceContract } from '../../../src/testing/index.ts'
import { runner } from '../../runner.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { settingsOf } from '../settings.ts'
import { bySql, type Spoil } from '../spoiled.ts'

/** An instance of Sequelize on an empty library. */
export interface Opened {
  readonly sequelize: Sequelize
  readonly spoil: Spoil
  /** The server with its settings. Absent: SQLite. */
  readonly server?: MysqlKind | 'pg'
  readonly holds?: OpenedSource['holds']
  readonly unenforced?: OpenedSource['unenforced']
  close(): Promise<unknown>
}

export const sequelizeContract = (name: string, open: () => Promise<Opened>): void =>
  sourceContract(runner, {
    name,
    open: async () => {
      const { sequelize, spoil, server, holds, unenforced, close } = await open()
      const sql = bySql((statement) => sequelize.query(statement))
      const source = sequelizeModels(sequelize)
      return {
        source,
        ...(server &&
          settingsOf(server, source, (db, statement) =>
            sequelize.query(statement, { transaction: db as Transaction }),
          )),
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
