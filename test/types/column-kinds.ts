// What may be said of columns: of tables and columns that are there, kinds and their options.
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { customType, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { type ColumnKind, drizzleModels } from 'modelrest/drizzle'

const money = customType<{ data: string }>({ dataType: () => 'integer' })
const products = sqliteTable('products', { id: integer().primaryKey(), price: money(), other: money() })
const db = drizzle('shop.db')

const decimal: ColumnKind = { kind: 'decimal', precision: 10, scale: 2, example: '9.90' }

drizzleModels(db, { products }, { columns: { products: { price: 'decimal', other: decimal } } })
drizzleModels(db, { shop: { products } }, { columns: { 'shop.products': { price: decimal } } })
drizzleModels(
  db,
  { shop: { products } },
  { columns: { products: { price: { kind: 'array', element: 'text' } } } },
)
drizzleModels(db, { products }, { names: { products: 'Item' }, columns: { products: {} } })
const unknown: Record<string, unknown> = { products }
drizzleModels(db, unknown, { columns: { products: { anything: 'text' } } })

// @ts-expect-error There is no such table.
drizzleModels(db, { products }, { columns: { product: { price: 'decimal' } } })
// @ts-expect-error There is no such column.
drizzleModels(db, { products }, { columns: { products: { prize: 'decimal' } } })
// @ts-expect-error There is no such kind.
drizzleModels(db, { products }, { columns: { products: { price: 'money' } } })
// @ts-expect-error The kind has no such option.
drizzleModels(db, { products }, { columns: { products: { price: { kind: 'text', scale: 2 } } } })
// @ts-expect-error An enum names its values.
drizzleModels(db, { products }, { columns: { products: { price: 'enum' } } })
