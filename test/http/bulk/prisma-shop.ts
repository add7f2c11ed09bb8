import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { createDatabase } from '../../servers/test-database.ts'
import { createMysqlDatabase, type MysqlKind } from '../../servers/test-mysql.ts'
import { generate, type Provider } from '../../source/prisma/generated.ts'
import type { OpenOptions, Row, TestDatabase } from '../../stage/databases.ts'
import { ddlOf } from '../together/tables.ts'

/** The tables of the shop. */
const schema = `
model Order {
  id     Int     @id @default(autoincrement())
  tenant Int     @default(1)
  title  String  @db.VarChar(40)
  items  Item[]
  notes  Note[]
  labels Label[]
  orderTags OrderTag[]
  @@map("orders")
}

model Product {
  id     Int    @id @default(autoincrement())
  tenant Int    @default(1)
  name   String @db.VarChar(40)
  items  Item[]
  @@map("products")
}

model Item {
  id        Int      @id @default(autoincrement())
  orderId   Int      @map("order_id")
  productId Int?     @map("product_id")
  tenant    Int      @default(1)
  sku       String?  @unique @db.VarChar(20)
  price     Int
  quantity  Int      @default(1)
  order     Order    @relation(fields: [orderId], references: [id])
  product   Product? @relation(fields: [productId], references: [id])
  @@map("order_items")
}

model Note {
  orderId Int    @map("order_id")
  line    Int
  text    String @db.VarChar(40)
  order   Order  @relation(fields: [orderId], references: [id])
  @@id([orderId, line])
  @@map("order_notes")
}

model Label {
  code    String  @id @db.VarChar(20)
  orderId Int?    @map("order_id")
  text    String? @db.VarChar(40)
  order   Order?  @relation(fields: [orderId], references: [id])
  @@map("order_labels")
}

model Tag {
  id     Int    @id @default(autoincrement())
  tenant Int    @default(1)
  name   String @db.VarChar(40)
  orderTags OrderTag[]
  @@map("tags")
}

model OrderTag {
  orderId Int   @map("order_id")
  tagId   Int   @map("tag_id")
  weight  Int   @default(5)
  order   Order @relation(fields: [orderId], references: [id])
  tag     Tag   @relation(fields: [tagId], references: [id])
  @@id([orderId, tagId])
  @@map("order_tags")
}
`

const schemas: Readonly<Record<Provider, string>> = {
  sqlite: schema.replaceAll(/@db.VarChar\(\d+\)/g, ''),
  postgresql: schema,
  // As MySQL names the constraint.
  mysql: schema.replace('@unique', '@unique(map: "sku")'),
}

/** A database without its tables. */
interface Empty {
  readonly adapter: SqlDriverAdapterFactory
  drop(): unknown
}

const opening =
  (provider: Provider, ddl: Parameters<typeof ddlOf>[0], connect: () => Promise<Empty>) =>
  async ({ onStatement }: OpenOptions): Promise<TestDatabase> => {
    const generated = await generate(provider, schemas[provider])
    const { adapter, drop } = await connect()
    const client = generated.connect(adapter, { log: [{ emit: 'event', level: 'query' }] })
    const execute = async (statements: string): Promise<void> => {
      for (const statement of statements.split(';\n')) await client.$executeRawUnsafe(statement)
    }
    await execute(ddlOf(ddl))
    client.$on('query', ({ query }) => onStatement?.(query, []))
    return {
      models: prismaModels(client, generated.metadata),
      execute,
      rows: async <Found extends Row>(query: string) =>
        (await client.$queryRawUnsafe(query)) as readonly Found[],
      close: async () => {
        await client.$disconnect()
        await drop()
      },
    }
  }

const onMysql = (kind: MysqlKind) =>
  opening('mysql', 'mysql', async () => {
    const { url, drop } = await createMysqlDatabase('prisma_bulk', { kind })
    const { hostname: host, port, username: user, password, pathname } = new URL(url)
    const database = pathname.slice(1)
    return {
      adapter: new PrismaMariaDb({
        ...{ host, port: Number(port), user, password, database, connectionLimit: 6 },
      }),
      drop,
    }
  })

/** The shop in models of Prisma. */
export const prismaShops = {
  sqlite: opening('sqlite', 'sqlite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
    return {
      adapter: new PrismaBetterSqlite3({ url: `file:${join(folder, 'shop.db')}` }),
      drop: () => rmSync(folder, { recursive: true }),
    }
  }),
  postgres: opening('postgresql', 'postgres', async () => {
    const { url, drop } = await createDatabase('prisma_bulk')
    return { adapter: new PrismaPg({ connectionString: url, max: 6 }), drop }
  }),
  mariadb: onMysql('mariadb'),
  mysql: onMysql('mysql'),
} as const
