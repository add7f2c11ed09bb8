import type { MikroORM, Options as MikroOrmOptions } from '@mikro-orm/core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { Sequelize } from 'sequelize'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import type { ModelSource } from '../../src/entry/source.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import {
  type Kind,
  openMikroOrm,
  openPlace,
  type Place,
  prismaAdapter,
  prismaProviders,
  sequelizeOptions,
  typeormOptions,
} from '../http/orm-places.ts'
import { generate } from './prisma/generated.ts'

/** A new database with these tables, until the test ends. */
export const placeOf = async (kind: Kind, ...ddl: readonly string[]): Promise<Place> => {
  const place = await openPlace(kind, ddl)
  onTestFinished(place.drop)
  return place
}

/** The sources of ORMs, with what they declare. All are closed when the test ends. */
export const withTypeorm = async (place: Place, ...entities: readonly object[]) => {
  const options = { ...typeormOptions(place), entities } as DataSourceOptions
  const dataSource = await new DataSource(options).initialize()
  onTestFinished(() => dataSource.destroy())
  return { source: typeormModels(dataSource), dataSource }
}

export const withMikroOrm = async (
  place: Place,
  entities: readonly object[],
  options: Partial<MikroOrmOptions> = {},
): Promise<{ readonly source: ModelSource; readonly orm: MikroORM }> => {
  const orm = await openMikroOrm(place, { ...options, entities: entities as never })
  onTestFinished(() => orm.close(true))
  return { source: mikroOrmModels(orm), orm }
}

export const withSequelize = (place: Place, define: (sequelize: Sequelize) => unknown) => {
  const sequelize = new Sequelize(sequelizeOptions(place))
  onTestFinished(() => sequelize.close())
  define(sequelize)
  return { source: sequelizeModels(sequelize), sequelize }
}

export const withPrisma = async (place: Place, schema: string, adapter = prismaAdapter(place)) => {
  const { connect, metadata } = await generate(prismaProviders[place.kind], schema)
  const client = connect(adapter)
  onTestFinished(() => client.$disconnect())
  return { source: prismaModels(client, metadata), client }
}

export const withDrizzle = ({ kind, url }: Place, tables: Readonly<Record<string, object>>) => {
  const isPg = kind === 'postgres'
  const pool = isPg ? new pg.Pool({ connectionString: url, max: 2 }) : mysql.createPool(url)
  onTestFinished(() => pool.end())
  const db = isPg ? drizzlePg(pool as pg.Pool) : drizzleMysql(pool as mysql.Pool)
  return { source: drizzleModels(db, tables) as ModelSource }
}
