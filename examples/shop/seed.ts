import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { categories, customers, orderItems, orders, productCategories, products } from './models.ts'
import {
  categoryRows,
  customerRows,
  orderItemRows,
  orderRows,
  productCategoryRows,
  productRows,
} from './rows.ts'

/** Fills a new database. The same rows every time, whatever the day. */
export const seed = (db: BetterSQLite3Database, productCount: number): void => {
  const made = productRows(productCount)
  insertAll(db, products, made)
  insertAll(db, categories, categoryRows())
  insertAll(db, productCategories, productCategoryRows(productCount))
  insertAll(db, customers, customerRows())
  insertAll(db, orders, orderRows())
  insertAll(db, orderItems, orderItemRows(made))
}

const ROWS_PER_STATEMENT = 500

const insertAll = <T extends SQLiteTable>(
  db: BetterSQLite3Database,
  table: T,
  rows: readonly SQLiteInsertValue<T>[],
): void => {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    db.insert(table)
      .values(rows.slice(from, from + ROWS_PER_STATEMENT))
      .run()
  }
}
