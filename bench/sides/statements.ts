import type { Product } from '../products.ts'

/** A driver that answers at once is not made to wait. */
export type Maybe<T> = T | Promise<T>
export type New = Omit<Product, 'id'>
export type Change = Readonly<Partial<New>>

/** The statements of the routes, prepared once. */
export interface Statements {
  list(after: number, limit: number, offset: number): Maybe<readonly Product[]>
  /** Sorted by the price, the highest first. */
  filtered(category: string, inStock: boolean, limit: number, offset: number): Maybe<readonly Product[]>
  count(): Maybe<number>
  read(id: number): Maybe<Product | undefined>
  create(values: New): Maybe<Product>
  update(id: number, values: Change): Maybe<Product | undefined>
  close(): Maybe<unknown>
}
