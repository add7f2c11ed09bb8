import { defineEntity, p } from '@mikro-orm/core'
import { MikroORM } from '@mikro-orm/postgresql'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import type { ModelSource } from '../../../src/index.ts'
import { createDatabase } from '../../servers/test-database.ts'
import { generate } from '../../source/prisma/generated.ts'
import type { Row, TestDatabase } from '../../stage/databases.ts'
import { libraryOn, type Start } from './stage.ts'
import { ddlOf } from './tables.ts'

interface Opened {
  readonly models: ModelSource
  end(): Promise<void>
}

/** Shelves, books and reviews, as an ORM declares them. */
type OpenOrm = (url: string) => Promise<Opened>

const schema = `
model Shelf {
  id         Int       @id @default(autoincrement())
  title      String
  deleted_at DateTime? @db.Timestamptz(6)
  books      Book[]

  @@map("shelves")
}

model Book {
  id         Int       @id @default(autoincrement())
  title      String
  code       String?   @unique
  pages      Int       @default(100)
  tenant     Int       @default(1)
  shelf_id   Int?
  deleted_at DateTime? @db.Timestamptz(6)
  shelf      Shelf?    @relation(fields: [shelf_id], references: [id])
  reviews    Review[]

  @@map("books")
}

model Review {
  id      Int  @id @default(autoincrement())
  stars   Int
  book_id Int
  book    Book @relation(fields: [book_id], references: [id])

  @@map("reviews")
}
`

const prisma: OpenOrm = async (url) => {
  const { metadata, connect } = await generate('postgresql', schema)
  const client = connect(new PrismaPg({ connectionString: url, max: 2 }))
  return { models: prismaModels(client, metadata), end: () => client.$disconnect() }
}

const id = { type: 'int', primary: true, generated: 'increment' } as const
const time = { type: 'timestamptz', nullable: true } as const
const Shelf = new EntitySchema({
  ...{ name: 'Shelf', tableName: 'shelves' },
  columns: { id, title: { type: 'text' }, deleted_at: time },
  relations: { books: { type: 'one-to-many', target: 'Book', inverseSide: 'shelf' } },
} as never)
const Book = new EntitySchema({
  ...{ name: 'Book', tableName: 'books' },
  columns: {
    ...{ id, title: { type: 'text' }, code: { type: 'text', nullable: true } },
    ...{ pages: { type: 'int', default: 100 }, tenant: { type: 'int', default: 1 }, deleted_at: time },
  },
  uniques: [{ name: 'books_code_key', columns: ['code'] }],
  relations: {
    shelf: {
      ...{ type: 'many-to-one', target: 'Shelf', inverseSide: 'books', nullable: true },
      joinColumn: { name: 'shelf_id' },
    },
    reviews: { type: 'one-to-many', target: 'Review', inverseSide: 'book' },
  },
} as never)
const Review = new EntitySchema({
  ...{ name: 'Review', tableName: 'reviews' },
  columns: { id, stars: { type: 'int' }, book_id: { type: 'int' } },
  relations: {
    book: {
      ...{ type: 'many-to-one', target: 'Book', inverseSide: 'reviews', nullable: false },
      joinColumn: { name: 'book_id' },
    },
  },
} as never)

const typeorm: OpenOrm = async (url) => {
  const dataSource = new DataSource({ type: 'postgres', url, poolSize: 2, entities: [Shelf, Book, Review] })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelize: OpenOrm = async (url) => {
  const instance = new Sequelize(url, { logging: false, pool: { max: 2 } })
  const text = { type: DataTypes.TEXT, allowNull: false }
  const whole = (value: number) => ({ type: DataTypes.INTEGER, allowNull: false, defaultValue: value })
  const deleted_at = { type: DataTypes.DATE }
  const ofShelves = instance.define(
    'Shelf',
    { title: text, deleted_at },
    { tableName: 'shelves', timestamps: false },
  )
  const ofBooks = instance.define(
    'Book',
    {
      ...{ title: text, code: { type: DataTypes.TEXT, unique: true }, deleted_at },
      ...{ pages: whole(100), tenant: whole(1) },
    },
    { tableName: 'books', timestamps: false },
  )
  const ofReviews = instance.define(
    'Review',
    { stars: { type: DataTypes.INTEGER, allowNull: false } },
    { tableName: 'reviews', timestamps: false },
  )
  const shelf = { name: 'shelf_id', allowNull: true }
  const book = { name: 'book_id', allowNull: false }
  ofBooks.belongsTo(ofShelves, { as: 'shelf', foreignKey: shelf })
  ofShelves.hasMany(ofBooks, { as: 'books', foreignKey: shelf })
  ofReviews.belongsTo(ofBooks, { as: 'book', foreignKey: book })
  ofBooks.hasMany(ofReviews, { as: 'reviews', foreignKey: book })
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const ShelfEntity = defineEntity({
  ...{ name: 'Shelf', tableName: 'shelves' },
  properties: {
    ...{ id: p.integer().primary().autoincrement(), title: p.text() },
    deleted_at: p.datetime(6).nullable(),
  },
})
const BookEntity = defineEntity({
  ...{ name: 'Book', tableName: 'books' },
  properties: {
    ...{ id: p.integer().primary().autoincrement(), title: p.text(), code: p.text().nullable().unique() },
    ...{ pages: p.integer().default(100), tenant: p.integer().default(1) },
    deleted_at: p.datetime(6).nullable(),
    shelf: () => p.manyToOne(ShelfEntity).nullable(),
  },
})
const ReviewEntity = defineEntity({
  ...{ name: 'Review', tableName: 'reviews' },
  properties: {
    ...{ id: p.integer().primary().autoincrement(), stars: p.integer() },
    book: () => p.manyToOne(BookEntity),
  },
})

const mikroOrm: OpenOrm = async (url) => {
  const orm = await MikroORM.init({
    ...{ entities: [ShelfEntity, BookEntity, ReviewEntity], clientUrl: url, pool: { max: 2 } },
  })
  const models = mikroOrmModels(orm, { Shelf: ShelfEntity, Book: BookEntity, Review: ReviewEntity })
  return { models, end: () => orm.close(true) }
}

const openLibrary = async (open: OpenOrm): Promise<TestDatabase> => {
  const { url, drop } = await createDatabase('stage')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await pool.query(ddlOf('postgres'))
  const { models, end } = await open(url)
  return {
    models,
    execute: async (statements) => void (await pool.query(statements)),
    rows: async <Found extends Row>(query: string) => (await pool.query<Found>(query)).rows,
    close: async () => {
      await end()
      await pool.end()
      await drop()
    },
  }
}

export const ormLibraries: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  ...{ Prisma: () => openLibrary(prisma), TypeORM: () => openLibrary(typeorm) },
  ...{ Sequelize: () => openLibrary(sequelize), MikroORM: () => openLibrary(mikroOrm) },
}

export const orms: Readonly<Record<string, Start>> = Object.fromEntries(
  Object.entries(ormLibraries).map(([name, open]) => [name, (options) => libraryOn(open(), options)]),
)
