import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import Database from 'better-sqlite3'
import { type PrismaMetadata, type PrismaModel, prismaModels } from '../../src/source/prisma/index.ts'
import { type AnyClient, generate } from '../source/prisma/generated.ts'
import { sameRows, withEnums } from './same-rows.ts'
import type { Acts, SameShop } from './same-shop.ts'

const schema = (): string => readFileSync('test/scenario/shop.prisma', 'utf8')

const acts: Acts = {
  orderOf: (db, id) =>
    (db as AnyClient)['order']?.['findUnique']?.({ where: { id } }) as ReturnType<Acts['orderOf']>,
  addPoints: async (db, id, points) =>
    (db as AnyClient)['customer']?.['update']?.({
      ...{ where: { id }, data: { loyalty_points: { increment: points } } },
    }),
  addAuditEntry: async (db, data) => (db as AnyClient)['auditEntry']?.['create']?.({ data }),
}

/** In the order of the tables of the example, because responses name referring models in the order of models. */
const ordered = ({ models, ...metadata }: PrismaMetadata): PrismaMetadata => {
  const tables = ['products', 'categories', 'product_categories', 'customers', 'orders']
  const at = ({ table }: PrismaModel): number =>
    (tables.indexOf(table) + tables.length + 1) % (tables.length + 1)
  const sorted = Object.entries(models).toSorted(([, one], [, other]) => at(one) - at(other))
  return { ...metadata, models: Object.fromEntries(sorted) }
}

/** The tables of the example, as Prisma's own migrations would make them for SQLite. */
const prismaTypes: readonly (readonly [RegExp, string])[] = [
  [/`(\w*price)` integer/g, '`$1` decimal'],
  [/`shipping_fee` integer DEFAULT '490'/g, '`shipping_fee` decimal DEFAULT 4.9'],
  [/`(in_stock|featured|is_active)` integer/g, '`$1` boolean'],
  [/`created_at` integer DEFAULT \(unixepoch\(\)\)/g, '`created_at` datetime DEFAULT current_timestamp'],
  [/`shipped_at` integer/g, '`shipped_at` datetime'],
  [/`address` text/g, '`address` jsonb'],
]

const tablesOnSqlite = (): string =>
  prismaTypes.reduce(
    (text, [type, other]) => text.replaceAll(type, other),
    globSync('examples/shop/migrations/sqlite/*.sql')
      .toSorted()
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n;'),
  )

export const onSqlite = async (): Promise<SameShop> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const file = join(folder, 'shop.db')
  const database = new Database(file)
  database.exec(tablesOnSqlite())
  database.close()
  const { metadata, connect } = await generate(
    'sqlite',
    schema()
      .replaceAll(/(?<=@@id.*), map: "\w+"/g, '')
      .replaceAll(/ @db\.\w+(?:\([^)]*\))?/g, '')
      .replaceAll(/dbgenerated\([^\n]*\)\)"\)/g, 'now()'),
  )
  const prisma = connect(new PrismaBetterSqlite3({ url: `file:${file}` }))
  for (const [model, data] of Object.entries(await sameRows()))
    await prisma[model.slice(0, 1).toLowerCase() + model.slice(1)]?.['createMany']?.({ data })
  return {
    models: prismaModels(prisma, ordered(metadata), { names: { User: 'Member' } }),
    acts,
    close: async () => {
      await prisma.$disconnect()
      rmSync(folder, { recursive: true })
    },
  }
}

export const onPg = async (url: string): Promise<SameShop> => {
  const { metadata, connect } = await generate('postgresql', schema())
  const prisma = connect(new PrismaPg({ connectionString: url }))
  for (const statement of withEnums('OrderStatus', 'OrderStatus')) await prisma.$executeRawUnsafe(statement)
  return { models: prismaModels(prisma, ordered(metadata)), acts, close: () => prisma.$disconnect() }
}
