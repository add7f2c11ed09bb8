import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import { prismaModels } from 'modelrest/prisma'
import { generate } from '../../test/source/prisma/generated.ts'
import type { Database, OpenOrm, Page, Product } from './shop.ts'

export const schema = `
model Product {
  id          Int      @id @default(autoincrement())
  name        String   @db.VarChar(100)
  category_id Int
  price       Int
  stock       Int
  in_stock    Boolean
  category    Category @relation(fields: [category_id], references: [id])

  @@index([category_id, price])
  @@map("products")
}

model Category {
  id       Int       @id @default(autoincrement())
  name     String    @db.VarChar(50)
  products Product[]

  @@map("categories")
}
`

/** The delegate of a model, whose types do not exist before it is generated. */
type Delegate = Readonly<Record<string, (args: object) => Promise<never>>>

const isNotFound = (error: unknown): boolean => Object(error).code === 'P2025'

export const open = async (database: Database, location: string): Promise<OpenOrm> => {
  const isSqlite = database === 'sqlite'
  const { metadata, connect } = await generate(
    isSqlite ? 'sqlite' : 'postgresql',
    isSqlite ? schema.replaceAll(/ @db\.\S+/g, '') : schema,
  )
  const prisma = connect(
    isSqlite
      ? new PrismaBetterSqlite3({ url: `file:${location}` })
      : new PrismaPg({ connectionString: location }),
  )
  if (isSqlite)
    for (const pragma of ['journal_mode = wal', 'synchronous = normal'])
      await prisma.$queryRawUnsafe(`pragma ${pragma}`)
  const { findMany, count, findUnique, create, update } = prisma[
    'product'
  ] as unknown as Delegate as Readonly<
    Record<'findMany' | 'count' | 'findUnique' | 'create' | 'update', Delegate[string]>
  >
  const page = ({ category_id, in_stock, limit }: Page) => ({
    ...{ where: { category_id, in_stock }, orderBy: [{ price: 'desc' }, { id: 'asc' }], take: limit },
  })
  return {
    models: prismaModels(prisma, metadata),
    acts: {
      list: (asked) => findMany(page(asked)),
      counted: (asked) => Promise.all([findMany(page(asked)), count({ where: page(asked).where })]),
      withCategory: (asked) => findMany({ ...page(asked), include: { category: true } }),
      read: (id) => findUnique({ where: { id } }),
      create: (data) => create({ data }),
      update: async (id, data): Promise<Product | null> => {
        try {
          return await update({ where: { id }, data })
        } catch (error) {
          if (isNotFound(error)) return null
          throw error
        }
      },
    },
  }
}
