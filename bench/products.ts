/** A record, as every side shows it once its own names and wrappers are taken away. */
export interface Product {
  readonly id: number
  readonly name: string
  readonly category: string
  /** Cents: a number means the same to every side, where decimals do not. */
  readonly price: number
  readonly stock: number
  readonly in_stock: boolean
}

export const ROWS = 100_000
export const CATEGORIES = 1000

/** What the record with this id holds, before anyone writes. The statements of `databases.ts` say the same in SQL. */
export const product = (id: number): Product => ({
  id,
  name: `Product ${id}`,
  category: `c${id % CATEGORIES}`,
  price: (id * 7919) % ROWS,
  stock: id % 100,
  in_stock: id % 3 > 0,
})

/** 1,000 ids, the same in every run, with no order that a cache could use. */
export const ids: readonly number[] = Array.from({ length: 1000 }, (_, n) => 1 + ((n * 48_271) % ROWS))

export const PAGE = 20

// What the lists ask for differs from request to request: equal lists at the same time could share a statement.
const scattered = (values: number): readonly number[] =>
  Array.from({ length: values }, (_, n) => (n * 37) % values)
/** Each the number of a page, from 0. */
export const pages: readonly number[] = scattered(100)
/** Each an id that a list begins after. */
export const starts: readonly number[] = scattered(1000).map((n) => n * 50)
export const categories: readonly string[] = scattered(CATEGORIES).map((n) => `c${n}`)

export const created: Omit<Product, 'id'> = {
  name: 'Desk lamp',
  category: 'new',
  price: 990,
  stock: 12,
  in_stock: true,
}

export const changed = { price: 1250, in_stock: false } as const
