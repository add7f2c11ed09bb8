import type { SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ShopDatabase } from './db.ts'
import {
  categoryRows,
  customerRows,
  orderItemRows,
  orderRows,
  productCategoryRows,
  productRows,
} from './rows.ts'
import { tablesOf } from './tables.ts'

/** A statement that is run synchronously, or awaited. */
interface Statement extends PromiseLike<unknown> {
  readonly run: () => unknown
}

/** The statements that fill a new database. The rows are the same every time. */
export function* seed(db: ShopDatabase, productCount: number): Generator<Statement> {
  const { products, categories, productCategories, customers, orders, orderItems } = tablesOf(db)
  const made = productRows(productCount)
  yield* inserts(db, products, made)
  yield* inserts(db, categories, categoryRows())
  yield* inserts(db, productCategories, productCategoryRows(productCount))
  yield* inserts(db, customers, customerRows())
  yield* inserts(db, orders, orderRows())
  yield* inserts(db, orderItems, orderItemRows(made))
}

/** Whether a database has no rows yet. */
export const isNew = async (db: ShopDatabase): Promise<boolean> => {
  const { products, categories, customers } = tablesOf(db)
  for (const table of [products, categories, customers])
    if ((await db.select().from(table).limit(1)).length > 0) return false
  return true
}

const ROWS_PER_STATEMENT = 500

function* inserts<T extends SQLiteTable>(
  db: ShopDatabase,
  table: T,
  rows: readonly SQLiteInsertValue<T>[],
): Generator<Statement> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    yield db.insert(table).values(rows.slice(from, from + ROWS_PER_STATEMENT))
}
