import type { EntityManager, MikroORM } from '@mikro-orm/core'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import type { Row } from '../../../src/entry/source.ts'
import { createSqlite } from '../../contract/library.ts'
import { openMikroOrm } from '../../http/orm-places.ts'
import { ormContract } from '../orm-contract.ts'
import { execute } from './execute.ts'
import { libraryEntities } from './library.ts'

const dialects = { sqlite: 'sqlite', postgres: 'pg', mysql: 'mysql', mariadb: 'mysql' } as const

/** Closes the pool or connection of the driver. An ORM that is closed opens again. */
const endClient = async (orm: MikroORM): Promise<unknown> => {
  const connection = orm.em.getConnection() as unknown as { getNativeClient(): Promise<object> }
  const client = await connection.getNativeClient()
  const end: unknown = Reflect.get(client, 'end') ?? Reflect.get(client, 'close')
  return typeof end === 'function' ? end.call(client) : undefined
}

ormContract('MikroORM', async (place) => {
  const orm = await openMikroOrm(place, {
    entities: Object.values(libraryEntities(dialects[place.kind])),
    // MikroORM makes wrong SQL for a column with the name of an inherited function.
    schemaGenerator: { skipTables: ['oddities'] },
  })
  if (place.kind === 'sqlite') {
    await orm.schema.create()
    await execute(orm.em.fork(), createSqlite.find((sql) => sql.includes('oddities')) ?? '')
  }
  let isEnded = false
  return {
    source: mikroOrmModels(orm),
    execute: (sql, db) => execute(db === undefined ? orm.em.fork() : (db as EntityManager), sql),
    kill: () => {
      isEnded = true
      return endClient(orm)
    },
    end: async () => (isEnded ? undefined : orm.close(true)),
    find: (model, condition): Promise<readonly Row[]> =>
      orm.em.fork().find(model as never, condition as never) as Promise<readonly Row[]>,
    useHandle: (db) => Reflect.get(Object(db), 'find'),
  }
})
