import { DataSource, type DataSourceOptions, type EntityManager } from 'typeorm'
import type { Row } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { typeormOptions } from '../../http/orm-places.ts'
import { ormContract } from '../orm-contract.ts'
import { libraryEntities } from './library.ts'

const dialects = { sqlite: 'sqlite', postgres: 'pg', mysql: 'mysql', mariadb: 'mysql' } as const

ormContract('TypeORM', async (place) => {
  const dataSource = await new DataSource({
    ...typeormOptions(place),
    synchronize: place.kind === 'sqlite',
    entities: Object.values(libraryEntities(dialects[place.kind])),
  } as DataSourceOptions).initialize()
  const destroy = async () => {
    if (dataSource.isInitialized) await dataSource.destroy()
  }
  return {
    source: typeormModels(dataSource),
    execute: (sql, db) => (db === undefined ? dataSource : (db as EntityManager)).query(sql),
    ...{ kill: destroy, end: destroy },
    find: async (model, condition): Promise<readonly Row[]> =>
      dataSource
        .createQueryBuilder(model, 'found')
        .where(condition as string)
        .getMany(),
    useHandle: (db) => Reflect.get(Object(db), 'query'),
  }
})
