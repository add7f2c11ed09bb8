import { typeormModels } from 'modelrest/typeorm'
import { DataSource, EntitySchema } from 'typeorm'
import type { Category, Database, OpenOrm, Page, Product } from './shop.ts'

const id = { type: 'integer', primary: true, generated: true } as const

const CategoryEntity = new EntitySchema<Category>({
  ...{ name: 'Category', tableName: 'categories' },
  columns: { id, name: { type: 'varchar', length: 50 } },
})

const ProductEntity = new EntitySchema<Product & { readonly category: Category }>({
  ...{ name: 'Product', tableName: 'products' },
  columns: {
    ...{ id, name: { type: 'varchar', length: 100 }, category_id: { type: 'int' } },
    ...{ price: { type: 'int' }, stock: { type: 'int' }, in_stock: { type: 'boolean' } },
  },
  relations: {
    category: {
      ...{ type: 'many-to-one', target: 'Category', joinColumn: { name: 'category_id' }, nullable: false },
    },
  },
})

export const open = async (database: Database, location: string): Promise<OpenOrm> => {
  const entities = [ProductEntity, CategoryEntity]
  const dataSource = new DataSource(
    database === 'sqlite'
      ? { type: 'better-sqlite3', database: location, enableWAL: true, entities }
      : { type: 'postgres', url: location, entities },
  )
  await dataSource.initialize()
  if (database === 'sqlite') await dataSource.query('pragma synchronous = normal')
  const products = dataSource.getRepository(ProductEntity)
  const page = ({ category_id, in_stock, limit }: Page) =>
    ({ where: { category_id, in_stock }, order: { price: 'desc', id: 'asc' }, take: limit }) as const
  return {
    models: typeormModels(dataSource, { Product: ProductEntity, Category: CategoryEntity }),
    acts: {
      list: (asked) => products.find(page(asked)),
      counted: (asked) => products.findAndCount(page(asked)),
      withCategory: (asked) => products.find({ ...page(asked), relations: { category: true } }),
      read: (key) => products.findOneBy({ id: key }),
      create: (values) => products.save(products.create(values)),
      update: async (key, values) => {
        const found = await products.findOneBy({ id: key })
        return found === null ? null : products.save(products.merge(found, values))
      },
    },
  }
}
