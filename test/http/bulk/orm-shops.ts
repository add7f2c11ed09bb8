import { defineEntity, p } from '@mikro-orm/core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { generate } from '../../source/prisma/generated.ts'
import {
  counted,
  type Kind,
  type OpenedOrm,
  openMikroOrm,
  type Place,
  prismaAdapter,
  prismaProviders,
  sequelizeOptions,
  typeormOptions,
} from '../orm-places.ts'

/** Opens items, labels and notes as an ORM declares them. */
type OpenOrm = (place: Place, onStatement: (text: string) => void) => Promise<OpenedOrm>

export const ddlOf = (kind: Kind): readonly string[] => [
  `create table items (id ${counted[kind]}, sku varchar(20), price int not null check (price < 1000), quantity int not null default 1, constraint items_sku_key unique (sku))`,
  'create table labels (code varchar(20) primary key, text varchar(40) not null)',
  'create table notes (page int not null, line int not null, text varchar(40), primary key (page, line))',
]

const int = { type: 'int' } as const
const text = (length: number) => ({ type: 'varchar', length }) as const

const typeorm: OpenOrm = async (place, onStatement) => {
  const entities = [
    new EntitySchema({
      ...{ name: 'Item', tableName: 'items' },
      columns: {
        id: { ...int, primary: true, generated: 'increment' },
        sku: { ...text(20), nullable: true },
        ...{ price: int, quantity: { ...int, default: 1 } },
      },
      uniques: [{ name: 'items_sku_key', columns: ['sku'] }],
    } as never),
    new EntitySchema({
      ...{ name: 'Label', tableName: 'labels' },
      columns: { code: { ...text(20), primary: true }, text: text(40) },
    }),
    new EntitySchema({
      ...{ name: 'Note', tableName: 'notes' },
      columns: {
        ...{ page: { ...int, primary: true }, line: { ...int, primary: true } },
        text: { ...text(40), nullable: true },
      },
    }),
  ]
  const dataSource = new DataSource({
    ...typeormOptions(place),
    ...{ entities, logging: ['query'] },
    logger: { logQuery: onStatement, logQueryError: () => undefined } as never,
  })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelize: OpenOrm = async (place, onStatement) => {
  const instance = new Sequelize({ ...sequelizeOptions(place), logging: onStatement })
  const whole = () => ({ type: DataTypes.INTEGER, allowNull: false })
  instance.define(
    'Item',
    {
      ...{ sku: { type: DataTypes.STRING(20), unique: true }, price: whole() },
      quantity: { ...whole(), defaultValue: 1 },
    },
    { tableName: 'items' },
  )
  instance.define(
    'Label',
    {
      code: { type: DataTypes.STRING(20), primaryKey: true },
      text: { type: DataTypes.STRING(40), allowNull: false },
    },
    { tableName: 'labels' },
  )
  instance.define(
    'Note',
    {
      ...{ page: { ...whole(), primaryKey: true }, line: { ...whole(), primaryKey: true } },
      text: DataTypes.STRING(40),
    },
    { tableName: 'notes' },
  )
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const mikroOrm: OpenOrm = async (place, onStatement) => {
  const Item = defineEntity({
    ...{ name: 'Item', tableName: 'items' },
    properties: {
      ...{ id: p.integer().primary(), sku: p.string().length(20).nullable().unique('items_sku_key') },
      ...{ price: p.integer(), quantity: p.integer().default(1) },
    },
  })
  const Label = defineEntity({
    ...{ name: 'Label', tableName: 'labels' },
    properties: { code: p.string().length(20).primary(), text: p.string().length(40) },
  })
  const Note = defineEntity({
    ...{ name: 'Note', tableName: 'notes' },
    properties: {
      ...{ page: p.integer().primary(), line: p.integer().primary() },
      text: p.string().length(40).nullable(),
    },
  })
  const orm = await openMikroOrm(place, {
    ...{ entities: [Item, Label, Note], debug: ['query'], logger: onStatement },
  })
  return { models: mikroOrmModels(orm), end: () => orm.close(true) }
}

const schema = `
model Item {
  id       Int     @id @default(autoincrement())
  sku      String? @unique(map: "items_sku_key") @db.VarChar(20)
  price    Int
  quantity Int     @default(1)
  @@map("items")
}

model Label {
  code String @id @db.VarChar(20)
  text String @db.VarChar(40)
  @@map("labels")
}

model Note {
  page Int
  line Int
  text String? @db.VarChar(40)
  @@id([page, line])
  @@map("notes")
}
`

const prisma: OpenOrm = async (place, onStatement) => {
  const models = place.kind === 'sqlite' ? schema.replaceAll(/ @db\.\S+/g, '') : schema
  const { metadata, connect } = await generate(prismaProviders[place.kind], models)
  const client = connect(prismaAdapter(place), { log: [{ emit: 'event', level: 'query' }] })
  client.$on('query', ({ query }) => onStatement(query))
  return { models: prismaModels(client, metadata), end: () => client.$disconnect() }
}

/** The ORMs whose sources store several records in one statement. */
export const ormShops = {
  ...{ prisma, typeorm, sequelize, 'mikro-orm': mikroOrm },
} as const satisfies Readonly<Record<string, OpenOrm>>
