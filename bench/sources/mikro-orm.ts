import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { MikroORM as Postgres } from '@mikro-orm/postgresql'
import { MikroORM as Sqlite } from '@mikro-orm/sqlite'
import { mikroOrmModels } from 'modelrest/mikro-orm'
import type { Database, OpenOrm, Page } from './shop.ts'

const CategoryEntity = defineEntity({
  ...{ name: 'Category', tableName: 'categories' },
  properties: { id: p.integer().primary(), name: p.string().length(50) },
})

const ProductEntity = defineEntity({
  ...{ name: 'Product', tableName: 'products' },
  properties: {
    ...{ id: p.integer().primary(), name: p.string().length(100) },
    category: () => p.manyToOne(CategoryEntity),
    ...{ price: p.integer(), stock: p.integer(), in_stock: p.boolean() },
  },
})

/** A response has the key of the category. */
const shown = ({ id, name, category, price, stock, in_stock }: InferEntity<typeof ProductEntity>) => ({
  ...{ id, name, category_id: category.id, price, stock, in_stock },
})

export const open = async (database: Database, location: string): Promise<OpenOrm> => {
  const entities = [ProductEntity, CategoryEntity]
  const orm =
    database === 'sqlite'
      ? await Sqlite.init({ dbName: location, entities })
      : await Postgres.init({ clientUrl: location, entities })
  if (database === 'sqlite') {
    const connection = orm.em.getConnection()
    await connection.execute('pragma journal_mode = wal')
    await connection.execute('pragma synchronous = normal')
  }
  const where = ({ category_id, in_stock }: Page) => ({ category: category_id, in_stock })
  const paged = ({ limit }: Page) => ({ orderBy: { price: 'desc' as const, id: 'asc' as const }, limit })
  return {
    models: mikroOrmModels(orm as never, { Product: ProductEntity, Category: CategoryEntity }),
    acts: {
      list: async (asked) => (await orm.em.fork().find(ProductEntity, where(asked), paged(asked))).map(shown),
      counted: async (asked) => {
        const [items, count] = await orm.em.fork().findAndCount(ProductEntity, where(asked), paged(asked))
        return [items.map(shown), count]
      },
      withCategory: async (asked) => {
        const options = { ...paged(asked), populate: ['category'] as const }
        const found = await orm.em.fork().find(ProductEntity, where(asked), options)
        return found.map((one) => ({ ...shown(one), category: one.category }))
      },
      read: async (key) => {
        const found = await orm.em.fork().findOne(ProductEntity, { id: key })
        return found && shown(found)
      },
      create: async ({ category_id, ...values }) => {
        const manager = orm.em.fork()
        const product = manager.create(ProductEntity, { ...values, category: category_id })
        await manager.persist(product).flush()
        return shown(product)
      },
      update: async (key, { category_id, ...values }) => {
        const manager = orm.em.fork()
        const found = await manager.findOne(ProductEntity, { id: key })
        if (found === null) return null
        const category = category_id === undefined ? {} : { category: category_id }
        manager.assign(found, { ...values, ...category })
        await manager.flush()
        return shown(found)
      },
    },
  }
}
