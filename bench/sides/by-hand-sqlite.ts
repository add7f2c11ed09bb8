import type { Product } from '../products.ts'
import { openFile } from './open-file.ts'
import type { Change, New, Statements } from './statements.ts'

interface Stored extends Omit<Product, 'in_stock'> {
  readonly in_stock: 0 | 1
}

const columns = 'id, name, category, price, stock, in_stock'
const shown = (row: Stored): Product => ({ ...row, in_stock: row.in_stock === 1 })
const bit = (value: boolean): 0 | 1 => (value ? 1 : 0)
const bitOrNull = (value: boolean | undefined): 0 | 1 | null => (value === undefined ? null : bit(value))

export const openSqlite = (file: string): Statements => {
  const db = openFile(file)
  const list = db.prepare<[number, number, number], Stored>(
    `select ${columns} from products where id > ? order by id limit ? offset ?`,
  )
  const filtered = db.prepare<[string, 0 | 1, number, number], Stored>(
    `select ${columns} from products where category = ? and in_stock = ? order by price desc, id limit ? offset ?`,
  )
  const count = db.prepare<[], number>('select count(*) from products').pluck()
  const read = db.prepare<[number], Stored>(`select ${columns} from products where id = ?`)
  const create = db.prepare<[string, string, number, number, 0 | 1], Stored>(
    `insert into products (name, category, price, stock, in_stock) values (?, ?, ?, ?, ?) returning ${columns}`,
  )
  const update = db.prepare<(string | number | null)[], Stored>(
    `update products set name = coalesce(?, name), category = coalesce(?, category), price = coalesce(?, price),
     stock = coalesce(?, stock), in_stock = coalesce(?, in_stock) where id = ? returning ${columns}`,
  )
  // Writes are read to their end with all(). After get() of a single row the driver keeps the statement open, SQLite
  // never reaches a checkpoint, and the write-ahead log grows without end.
  const written = (rows: readonly Stored[]): Product | undefined => rows.map(shown)[0]
  return {
    list: (after, limit, offset) => list.all(after, limit, offset).map(shown),
    filtered: (category, inStock, limit, offset) =>
      filtered.all(category, bit(inStock), limit, offset).map(shown),
    count: () => count.get() ?? 0,
    read: (id) => {
      const row = read.get(id)
      return row && shown(row)
    },
    create: ({ name, category, price, stock, in_stock }: New) => {
      const row = written(create.all(name, category, price, stock, bit(in_stock)))
      if (row === undefined) throw new Error('The insert returned nothing.')
      return row
    },
    update: (id, { name, category, price, stock, in_stock }: Change) =>
      written(
        update.all(
          ...[name ?? null, category ?? null, price ?? null, stock ?? null, bitOrNull(in_stock), id],
        ),
      ),
    close: () => db.close(),
  }
}
