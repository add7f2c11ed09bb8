import type { MikroORM } from '@mikro-orm/core'
import { MikroORM as MikroMaria } from '@mikro-orm/mariadb'
import { MikroORM as MikroPg } from '@mikro-orm/postgresql'
import { MikroORM as MikroSqlite } from '@mikro-orm/sqlite'
import mariadb from 'mariadb'
import { Sequelize } from 'sequelize'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { afterAll, expect, test } from 'vitest'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import type { Model } from '../../src/entry/source.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { describeTables } from '../../src/source/drizzle/describe.ts'
import { mysqlLibrary, pgLibrary, sqliteLibrary } from '../contract/library.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onMariaDb } from '../servers/test-mysql.ts'
import { differences, ofMikroOrm, ofPrisma, ofSequelize, ofTypeorm } from './golden.ts'
import { libraryEntities as mikroLibrary } from './mikro-orm/library.ts'
import { clientOf, generate } from './prisma/generated.ts'
import { defineLibrary } from './sequelize/library.ts'
import { nodeSqlite } from './sequelize/node-sqlite.ts'
import { libraryEntities } from './typeorm/library.ts'

const libraries = { pg: pgLibrary, mysql: mysqlLibrary, sqlite: sqliteLibrary } as const
type Dialect = keyof typeof libraries

const providers = { pg: 'postgresql', mysql: 'mysql', sqlite: 'sqlite' } as const

const prisma = async (dialect: Dialect): Promise<readonly Model[]> => {
  const { metadata } = await generate(providers[dialect])
  return prismaModels(clientOf(metadata), metadata).models
}

const typeorm = async (dialect: Dialect, options: DataSourceOptions): Promise<readonly Model[]> => {
  const entities = Object.values(libraryEntities(dialect))
  const dataSource = await new DataSource({ ...options, entities } as DataSourceOptions).initialize()
  const { models } = typeormModels(dataSource)
  await dataSource.destroy()
  return models
}

const sequelizeOptions = {
  pg: { dialect: 'postgres' },
  mysql: { dialect: 'mariadb', dialectModule: mariadb },
  sqlite: { dialect: 'sqlite', dialectModule: nodeSqlite },
} as const

/** Nothing connects before the first statement. */
const sequelize = (dialect: Dialect): readonly Model[] => {
  const instance = new Sequelize({ ...sequelizeOptions[dialect], logging: false })
  defineLibrary(instance)
  return sequelizeModels(instance).models
}

const mikroOrms = { pg: MikroPg, mysql: MikroMaria, sqlite: MikroSqlite } as const

/** Nothing connects before the first statement. */
const mikroOrm = async (dialect: Dialect): Promise<readonly Model[]> => {
  const entities = Object.values(mikroLibrary(dialect))
  const orm = await mikroOrms[dialect].init({ dbName: 'unused', entities } as never)
  return mikroOrmModels(orm as unknown as MikroORM).models
}

/** What the other source describes in another way than Drizzle's. */
const toDrizzle = (dialect: Dialect, models: readonly Model[]) =>
  differences(
    models,
    describeTables({ app: libraries[dialect] }).tables.map(({ model }) => model),
  )

test('Prisma describes the library as Drizzle does, but for these differences', async () => {
  expect(toDrizzle('pg', await prisma('pg'))).toEqual(ofPrisma.pg)
  expect(toDrizzle('mysql', await prisma('mysql'))).toEqual(ofPrisma.mysql)
  expect(toDrizzle('sqlite', await prisma('sqlite'))).toEqual(ofPrisma.sqlite)
})

test('Sequelize describes the library as Drizzle does, but for these differences', () => {
  expect(toDrizzle('pg', sequelize('pg'))).toEqual(ofSequelize.pg)
  expect(toDrizzle('mysql', sequelize('mysql'))).toEqual(ofSequelize.mysql)
  expect(toDrizzle('sqlite', sequelize('sqlite'))).toEqual(ofSequelize.sqlite)
})

test('MikroORM describes the library as Drizzle does, but for these differences', async () => {
  expect(toDrizzle('pg', await mikroOrm('pg'))).toEqual(ofMikroOrm.pg)
  expect(toDrizzle('mysql', await mikroOrm('mysql'))).toEqual(ofMikroOrm.mysql)
  expect(toDrizzle('sqlite', await mikroOrm('sqlite'))).toEqual(ofMikroOrm.sqlite)
})

test('TypeORM describes the library of SQLite as Drizzle does, but for these differences', async () => {
  const models = await typeorm('sqlite', { type: 'better-sqlite3', database: ':memory:' })
  expect(toDrizzle('sqlite', models)).toEqual(ofTypeorm.sqlite)
})

onPostgres('the library as entities of PostgreSQL', () =>
  test('TypeORM describes the library of PostgreSQL as Drizzle does, but for these differences', async () => {
    const { url, drop } = await createDatabase('golden')
    afterAll(drop)
    expect(toDrizzle('pg', await typeorm('pg', { type: 'postgres', url }))).toEqual(ofTypeorm.pg)
  }),
)

onMariaDb('the library as entities of MariaDB', () =>
  test('TypeORM describes the library of MariaDB as Drizzle does, but for these differences', async () => {
    const { url, drop } = await createMysqlDatabase('golden')
    afterAll(drop)
    expect(toDrizzle('mysql', await typeorm('mysql', { type: 'mariadb', url }))).toEqual(ofTypeorm.mysql)
  }),
)
