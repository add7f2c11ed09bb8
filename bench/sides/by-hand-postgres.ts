import pg from 'pg'
import type { Product } from '../products.ts'
import type { Statements } from './statements.ts'

const columns = 'id, name, category, price, stock, in_stock'

/** Named statements: each connection of the pool has the server parse and plan them once. */
const texts = {
  list: `select ${columns} from products where id > $1 order by id limit $2 offset $3`,
  filtered: `select ${columns} from products where category = $1 and in_stock = $2
    order by price desc, id limit $3 offset $4`,
  count: 'select count(*)::int as count from products',
  read: `select ${columns} from products where id = $1`,
  create: `insert into products (name, category, price, stock, in_stock) values ($1, $2, $3, $4, $5)
    returning ${columns}`,
  update: `update products set name = coalesce($1, name), category = coalesce($2, category),
    price = coalesce($3, price), stock = coalesce($4, stock), in_stock = coalesce($5, in_stock)
    where id = $6 returning ${columns}`,
} as const

export const openPostgres = (url: string): Statements => {
  const pool = new pg.Pool({ connectionString: url })
  const rows = async <T extends object = Product>(
    name: keyof typeof texts,
    ...values: readonly unknown[]
  ): Promise<readonly T[]> => (await pool.query<T>({ name, text: texts[name], values: [...values] })).rows
  return {
    list: (after, limit, offset) => rows('list', after, limit, offset),
    filtered: (category, inStock, limit, offset) => rows('filtered', category, inStock, limit, offset),
    count: async () => (await rows<{ readonly count: number }>('count'))[0]?.count ?? 0,
    read: async (id) => (await rows('read', id))[0],
    create: async ({ name, category, price, stock, in_stock }) => {
      const [row] = await rows('create', name, category, price, stock, in_stock)
      if (row === undefined) throw new Error('The insert returned nothing.')
      return row
    },
    update: async (id, { name, category, price, stock, in_stock }) =>
      (await rows('update', name, category, price, stock, in_stock, id))[0],
    close: () => pool.end(),
  }
}
