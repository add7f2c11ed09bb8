import { defineEntity, p } from '@mikro-orm/core'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { DataTypes } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { expect, onTestFinished, test } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import type { ModelSource } from '../../../src/index.ts'
import { openSqlite as openMikroOrm } from '../../source/mikro-orm/databases.ts'
import { generate } from '../../source/prisma/generated.ts'
import { openModels } from '../../source/sequelize/databases.ts'
import { onSqlite } from '../../source/sequelize/shop.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'

const texts = ['act', 'model', 'record'] as const

const schema = `
model Thing {
  id   Int    @id @default(autoincrement())
  name String
}

model AuditEntry {
  id      Int      @id @default(autoincrement())
  at      DateTime
  caller  String?
  act     String
  model   String
  record  String
  changes Json
}
`

const tables = `
  create table "Thing" (id integer primary key autoincrement not null, name text not null);
  create table "AuditEntry" (id integer primary key autoincrement not null, at datetime not null, caller text,
    act text not null, model text not null, record text not null, changes jsonb not null)`

const prisma = async (): Promise<ModelSource> => {
  const { metadata, connect } = await generate('sqlite', schema)
  const client = connect(new PrismaBetterSqlite3({ url: ':memory:' }))
  onTestFinished(() => client.$disconnect())
  for (const statement of tables.split(';')) await client.$executeRawUnsafe(statement)
  return prismaModels(client, metadata)
}

const typeorm = async (): Promise<ModelSource> => {
  const id = { type: 'int', primary: true, generated: 'increment' } as const
  const text = { type: 'varchar' } as const
  const dataSource = new DataSource({
    ...{ type: 'better-sqlite3', database: ':memory:', synchronize: true },
    entities: [
      new EntitySchema({ name: 'Thing', columns: { id, name: text } }),
      new EntitySchema({
        name: 'AuditEntry',
        columns: {
          ...{ id, at: { type: 'datetime' }, caller: { ...text, nullable: true } },
          ...{ act: text, model: text, record: text, changes: { type: 'simple-json' } },
        },
      }),
    ],
  })
  await dataSource.initialize()
  onTestFinished(() => dataSource.destroy())
  return typeormModels(dataSource)
}

const sequelize = async (): Promise<ModelSource> => {
  // Sequelize keeps and changes what it is given.
  const text = () => ({ type: DataTypes.STRING, allowNull: false })
  const { source } = await openModels(await onSqlite(), (created) => {
    created.define('Thing', { name: text() }, { timestamps: false })
    created.define(
      'AuditEntry',
      {
        at: { type: DataTypes.DATE, allowNull: false },
        caller: DataTypes.STRING,
        ...Object.fromEntries(texts.map((name) => [name, text()])),
        changes: { type: DataTypes.JSON, allowNull: false },
      },
      { timestamps: false },
    )
  })
  return source
}

const mikroOrm = async (): Promise<ModelSource> => {
  const Thing = defineEntity({ name: 'Thing', properties: { id: p.integer().primary(), name: p.string() } })
  const AuditEntry = defineEntity({
    name: 'AuditEntry',
    properties: {
      ...{ id: p.integer().primary(), at: p.datetime(), caller: p.string().nullable() },
      ...{ act: p.string(), model: p.string(), record: p.string(), changes: p.json() },
    },
  })
  return mikroOrmModels(await openMikroOrm({ entities: [Thing, AuditEntry] }))
}

test.each([
  ['Prisma', prisma],
  ['TypeORM', typeorm],
  ['Sequelize', sequelize],
  ['MikroORM', mikroOrm],
])('an audit log in a model of %s', async (_name, open) => {
  const models = await open()
  const app = await onFastify(
    { models, audit: true, modelConfig: { AuditEntry: { internal: false } } },
    { base: '' },
  )
  onTestFinished(app.stop)
  const send = senderTo(app)
  expect((await send('POST', '/things/', { body: { name: 'a' } })).status).toBe(201)
  expect((await send('PATCH', '/things/1', { body: { name: 'b' } })).status).toBe(200)
  expect((await send('DELETE', '/things/1')).status).toBe(204)
  const { json } = await send('GET', '/audit-entries/?sort=id')
  expect(json['items']).toMatchObject([
    { act: 'create', caller: null, model: 'Thing', record: '1', changes: { name: { after: 'a' } } },
    { act: 'update', changes: { name: { before: 'a', after: 'b' } } },
    { act: 'delete', changes: { id: { before: 1 }, name: { before: 'b' } } },
  ])
})
