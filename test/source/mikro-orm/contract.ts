import type { EntityManager, MikroORM } from '@mikro-orm/core'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import type { Row } from '../../../src/entry/source.ts'
import { type OpenedSource, sourceContract } from '../../../src/testing/index.ts'
import { runner } from '../../runner.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { settingsOf } from '../settings.ts'
import { bySql, type Spoil } from '../spoiled.ts'

/** An ORM on an empty library. */
export interface Opened {
  readonly orm: MikroORM
  readonly spoil: Spoil
  /** The server with its settings. Absent: SQLite. */
  readonly server?: MysqlKind | 'pg'
  readonly holds?: OpenedSource['holds']
  readonly unenforced?: OpenedSource['unenforced']
  /** Removes the database. */
  drop(): Promise<unknown>
}

/** Runs SQL with a manager of any driver. */
export const execute = (manager: EntityManager, sql: string): Promise<unknown> =>
  (manager as EntityManager & { execute(statement: string): Promise<unknown> }).execute(sql)

/** Closes the pool or connection of the driver. An ORM that is closed opens again. */
const endClient = async (orm: MikroORM): Promise<unknown> => {
  const connection = orm.em.getConnection() as unknown as { getNativeClient(): Promise<object> }
  const client = await connection.getNativeClient()
  const end: unknown = Reflect.get(client, 'end') ?? Reflect.get(client, 'close')
  return typeof end === 'function' ? end.call(client) : undefined
}

export const mikroOrmContract = (name: string, open: () => Promise<Opened>): void =>
  sourceContract(runner, {
    name,
    open: async () => {
      const { orm, spoil, server, holds, unenforced, drop } = await open()
      let isEnded = false
      const sql = bySql((statement) => execute(orm.em.fork(), statement))
      const source = mikroOrmModels(orm)
      return {
        source,
        ...(server && settingsOf(server, source, (db, statement) => execute(db as EntityManager, statement))),
        kill: () => {
          isEnded = true
          return endClient(orm)
        },
        close: async () => {
          if (!isEnded) await orm.close(true)
          await drop()
        },
        breakValue: sql.breakValue(spoil),
        drop: sql.drop,
        find: (model, condition): Promise<readonly Row[]> =>
          orm.em.fork().find(model as never, condition as never) as Promise<readonly Row[]>,
        useHandle: (db) => Reflect.get(Object(db), 'find'),
        ...(holds && { holds }),
        ...(unenforced && { unenforced }),
      }
    },
  })
