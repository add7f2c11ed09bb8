import { defineEntity, p } from '@mikro-orm/core'
import { MikroORM } from '@mikro-orm/postgresql'
import { PrismaPg } from '@prisma/adapter-pg'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import type { ModelSource } from '../../src/index.ts'
import { generate } from '../source/prisma/generated.ts'

/** A pool of an ORM for node-postgres. */
export interface OrmPool {
  readonly url: string
  readonly max: number
  /** Milliseconds. */
  readonly connectWithin: number
  /** Milliseconds. @default without end */
  readonly patience: number | undefined
  /** Settings of sessions, as the program `postgres` takes them. */
  readonly options: string
  /** The same, by their names. */
  readonly session?: Readonly<Record<string, string>>
}

interface Opened {
  readonly models: ModelSource
  end(): Promise<void>
}

const schema = `
model Thing {
  id    Int    @id @default(autoincrement())
  name  String
  times Int    @default(0)

  @@map("things")
}
`

const prisma = async ({ url, max, connectWithin, patience, options }: OrmPool): Promise<Opened> => {
  const { metadata, connect } = await generate('postgresql', schema)
  const client = connect(
    new PrismaPg({
      ...{ connectionString: url, max, connectionTimeoutMillis: connectWithin, options },
      ...(patience !== undefined && { query_timeout: patience }),
    }),
  )
  return { models: prismaModels(client, metadata), end: () => client.$disconnect() }
}

const Thing = new EntitySchema({
  ...{ name: 'Thing', tableName: 'things' },
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    ...{ name: { type: 'text' }, times: { type: 'int', default: 0 } },
  },
})

const typeorm = async ({ url, max, connectWithin, patience, options }: OrmPool): Promise<Opened> => {
  const dataSource = new DataSource({
    ...{ type: 'postgres', url, poolSize: max, connectTimeoutMS: connectWithin, entities: [Thing] },
    extra: { options, ...(patience !== undefined && { query_timeout: patience }) },
  })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelize = async ({ url, max, connectWithin, patience, options }: OrmPool): Promise<Opened> => {
  const instance = new Sequelize(url, {
    ...{ logging: false, pool: { max, acquire: connectWithin } },
    dialectOptions: { options, ...(patience !== undefined && { query_timeout: patience }) },
  })
  instance.define(
    'Thing',
    {
      name: { type: DataTypes.TEXT, allowNull: false },
      times: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
    },
    { tableName: 'things', timestamps: false },
  )
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const ThingEntity = defineEntity({
  ...{ name: 'Thing', tableName: 'things' },
  properties: { id: p.integer().primary(), name: p.text(), times: p.integer().default(0) },
})

const mikroOrm = async ({ url, max, connectWithin, patience, options }: OrmPool): Promise<Opened> => {
  const orm = await MikroORM.init({
    ...{ entities: [ThingEntity], clientUrl: url, pool: { max } },
    driverOptions: {
      ...{ connectionTimeoutMillis: connectWithin, options },
      ...(patience !== undefined && { query_timeout: patience }),
    },
  })
  return { models: mikroOrmModels(orm, { Thing: ThingEntity }), end: () => orm.close(true) }
}

export const ormPools = { prisma, typeorm, sequelize, 'mikro-orm': mikroOrm } as const

/** Runs a statement by the handle that a hook got. `undefined`: it is not one of these ORMs. */
export const executeWithOrm = (db: unknown, statement: string): Promise<unknown> | undefined => {
  const handle = db as {
    $executeRawUnsafe?(statement: string): Promise<unknown>
    query?: (statement: string, options?: object) => Promise<unknown>
    readonly sequelize?: Sequelize
    execute?: (statement: string) => Promise<unknown>
    readonly isInTransaction?: unknown
  }
  if (handle.$executeRawUnsafe !== undefined) return handle.$executeRawUnsafe(statement)
  if (handle.sequelize !== undefined) return handle.sequelize.query(statement, { transaction: db as never })
  if (handle.isInTransaction !== undefined) return handle.execute?.(statement)
  return typeof handle.query === 'function' ? handle.query(statement) : undefined
}
