import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { MikroORM as MikroMariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MikroMysql } from '@mikro-orm/mysql'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { customType, int, mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import type { ModelSource } from '../../src/entry/source.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { createMysqlDatabase, type MysqlKind, onEachMysql } from '../servers/test-mysql.ts'
import { requestsTo } from './facts.ts'
import { expectKept } from './kept.ts'
import { generate } from './prisma/generated.ts'
import { partsOf } from './sequelize/shop.ts'

type Open = (url: string, kind: MysqlKind) => Promise<ModelSource>

const withDrizzle: Open = async (url) => {
  const bit = (length?: number) =>
    customType<{ data: unknown }>({ dataType: () => (length === undefined ? 'bit' : `bit(${length})`) })()
  const things = mysqlTable('thing', {
    id: int().autoincrement().primaryKey(),
    ...{ open: bit(1), shut: bit(), few: bit(5), many: bit(64) },
  })
  const pool = mysql.createPool(url)
  onTestFinished(() => pool.end())
  return drizzleModels(drizzle(pool), { things })
}

const withPrisma: Open = async (url) => {
  const { connect, metadata } = await generate(
    'mysql',
    `model Thing {
      id   Int      @id @default(autoincrement())
      open Boolean? @db.Bit(1)
      shut Boolean? @db.Bit(1)
      few  Bytes?   @db.Bit(5)
      many Bytes?   @db.Bit(64)
      @@map("thing")
    }`,
  )
  const { username: user, password, ...place } = partsOf(url)
  const client = connect(new PrismaMariaDb({ ...place, user, password } as never))
  onTestFinished(() => client.$disconnect())
  return prismaModels(client, metadata)
}

const withTypeorm: Open = async (url, type) => {
  // TypeORM has no length for it.
  const bit = { type: 'bit', nullable: true } as const
  const Thing = new EntitySchema({
    ...{ name: 'Thing', tableName: 'thing' },
    columns: {
      id: { type: 'int', primary: true, generated: 'increment' },
      ...{ open: bit, shut: bit },
    },
  })
  const dataSource = await new DataSource({ type, url, entities: [Thing] }).initialize()
  onTestFinished(() => dataSource.destroy())
  return typeormModels(dataSource)
}

const withMikroOrm: Open = async (url, kind) => {
  const bit = (type: string, length: number) =>
    ({ type, columnType: `bit(${length})`, nullable: true }) as const
  const Thing = new MikroSchema({
    ...{ name: 'Thing', tableName: 'thing' },
    properties: {
      id: { type: 'integer', primary: true },
      ...{ open: bit('boolean', 1), shut: bit('any', 1), few: bit('Buffer', 5), many: bit('any', 64) },
    },
  } as never)
  const given = { entities: [Thing], clientUrl: url } as never
  const orm = kind === 'mysql' ? await MikroMysql.init(given) : await MikroMariaDb.init(given)
  onTestFinished(() => orm.close(true))
  return mikroOrmModels(orm as never)
}

const withSequelize: Open = async (url, dialect) => {
  const sequelize = new Sequelize({
    ...{ ...partsOf(url), dialect, logging: false },
    ...(dialect === 'mariadb' && { dialectModule: mariadb }),
  })
  onTestFinished(() => sequelize.close())
  sequelize.define(
    'Thing',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      ...{ open: 'BIT(1)', shut: 'BIT', few: 'BIT(5)', many: 'BIT(64)' },
    },
    { tableName: 'thing', timestamps: false },
  )
  return sequelizeModels(sequelize)
}

const sources = [
  ...[['Drizzle', withDrizzle] as const, ['Prisma', withPrisma] as const, ['TypeORM', withTypeorm] as const],
  ...[['MikroORM', withMikroOrm] as const, ['Sequelize', withSequelize] as const],
]

onEachMysql('bits', (kind) => {
  describe.each(sources)('through %s', (_name, open) => {
    it('are booleans and bytes, which can be sent back', async () => {
      const { url, drop } = await createMysqlDatabase('bits', { kind })
      onTestFinished(drop)
      const connection = await mysql.createConnection(url)
      await connection.query(
        'create table thing (id int primary key auto_increment, open bit(1), shut bit, few bit(5), many bit(64))',
      )
      await connection.query("insert into thing (open, shut, few, many) values (b'1', b'0', b'11111', 5)")
      await connection.end()
      const source = await open(url, kind)
      const send = await requestsTo(source)
      const isWhole = source.models[0]?.fields.some(({ name }) => name === 'few')
      const bytes = isWhole ? { few: 'Hw==', many: 'AAAAAAAAAAU=' } : {}
      const first = { id: 1, open: true, shut: false, ...bytes }
      expect((await send('GET', '/things/')).json).toMatchObject({ items: [first] })
      const second = { open: false, shut: true, ...(isWhole && { few: 'AQ==', many: '//////////8=' }) }
      expect(await send('POST', '/things/', second)).toMatchObject({ status: 201, json: second })
      expect((await send('GET', '/things/?open=true&sort=shut')).json).toMatchObject({ items: [first] })
      for (const wrong of [{ few: '/w==' }, { few: '5' }, { few: 'AAE=' }, { open: '1' }, { open: 5 }])
        expect((await send('POST', '/things/', wrong)).status, JSON.stringify(wrong)).toBe(422)
      await expectKept(source)
    })
  })
})
