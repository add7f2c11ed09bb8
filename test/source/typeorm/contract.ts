import type { DataSource, EntityManager } from 'typeorm'
import type { Row } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { type OpenedSource, sourceContract } from '../../../src/testing/index.ts'
import { runner } from '../../runner.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { settingsOf } from '../settings.ts'
import { bySql, type Spoil } from '../spoiled.ts'

/** A data source on an empty library. */
export interface Opened {
  readonly dataSource: DataSource
  readonly spoil: Spoil
  /** The server with its settings. Absent: SQLite. */
  readonly server?: MysqlKind | 'pg'
  readonly holds?: OpenedSource['holds']
  readonly unenforced?: OpenedSource['unenforced']
  close(): Promise<unknown>
}

export const typeormContract = (name: string, open: () => Promise<Opened>): void =>
  sourceContract(runner, {
    name,
    open: async () => {
      const { dataSource, spoil, server, holds, unenforced, close } = await open()
      const sql = bySql((statement) => dataSource.query(statement))
      const source = typeormModels(dataSource)
      return {
        source,
        ...(server && settingsOf(server, source, (db, statement) => (db as EntityManager).query(statement))),
        close,
        kill: () => dataSource.destroy(),
        breakValue: sql.breakValue(spoil),
        drop: sql.drop,
        find: async (model, condition): Promise<readonly Row[]> =>
          dataSource
            .createQueryBuilder(model, 'found')
            .where(condition as string)
            .getMany(),
        useHandle: (db) => Reflect.get(Object(db), 'query'),
        ...(holds && { holds }),
        ...(unenforced && { unenforced }),
      }
    },
  })
