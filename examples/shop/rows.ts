import { createHash } from 'node:crypto'
import type {
  categories,
  customers,
  orderItems,
  orders,
  productCategories,
  products,
} from './models/sqlite.ts'
import { orderStatus } from './models/values.ts'
import * as words from './words.ts'

type New<T extends { readonly $inferInsert: unknown }> = T['$inferInsert']

const CUSTOMERS = 600
const ORDERS = 1500

/** Pseudorandom numbers, the same in every run (mulberry32). */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const pick = <V extends readonly [unknown, ...unknown[]]>(values: V, index: number): V[number] =>
  values[index % values.length]

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const money = (cents: number): string => (cents / 100).toFixed(2)

/** The UUID of a number, the same in every run. */
const uuid = (number: number): string => {
  const hex = createHash('sha256').update(`customer ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export const productRows = (count: number): New<typeof products>[] => {
  const next = numbers(1)
  return times(count, (index) => {
    const id = index + 1
    const first = words.firstProducts[index]
    if (first !== undefined) return { id, ...first }
    const name = `${pick(words.styles, next(1000))} ${pick(words.materials, next(1000))} ${pick(words.things, next(1000))}`
    return {
      id,
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      price: money(pick([90, 90, 50, 0, 95, 99], next(600)) + 100 * (2 + next(next(4) === 0 ? 400 : 60))),
      in_stock: next(8) !== 0,
    }
  })
}

/** Main categories come first, because the others refer to them. */
export const categoryRows = (): New<typeof categories>[] => {
  const entries = Object.entries(words.categories)
  const main = entries.map(([name, [description]]) => ({ name, description }))
  const others = entries.flatMap(([, [, names]], index) =>
    names.map((name) => ({ name, parent_id: index + 1 })),
  )
  return [...main, ...others].map((row, index) => ({ id: index + 1, ...row }))
}

export const productCategoryRows = (productCount: number): New<typeof productCategories>[] => {
  const next = numbers(2)
  const most = categoryRows().length
  return times(Math.min(productCount, 2000), (index) => ({
    product_id: index + 1,
    category_id: 1 + next(most),
    featured: next(20) === 0,
  }))
}

export const customerRows = (): New<typeof customers>[] => {
  const next = numbers(3)
  return times(CUSTOMERS, (index) => {
    const given = pick(words.givenNames, next(1000))
    const family = pick(words.familyNames, next(1000))
    const [city, postcode, country] = pick(words.cities, next(1000))
    const address = {
      street: `${1 + next(120)} ${pick(words.streets, next(1000))}`,
      postcode,
      city,
      country,
    }
    return {
      id: uuid(index),
      name: `${given} ${family}`,
      email: `${given}.${family}.${index + 1}@example.com`.toLowerCase(),
      phone: next(3) === 0 ? null : `+44 20 7946 0${String(next(1000)).padStart(3, '0')}`,
      address: next(10) === 0 ? null : address,
      loyalty_points: next(500) * 10,
      created_at: new Date(Date.UTC(2024, next(12), 1 + next(28), next(24), next(60))),
    }
  })
}

const DAY = 86_400_000

export const orderRows = (): New<typeof orders>[] => {
  const next = numbers(4)
  return times(ORDERS, (index) => {
    const status = pick(orderStatus, next(1000))
    const created = Date.UTC(2025, next(12), 1 + next(28), next(24), next(60), next(60))
    const isOut = status === 'shipped' || status === 'delivered'
    return {
      id: index + 1,
      customer_id: uuid(next(CUSTOMERS)),
      status,
      shipping_fee: next(4) === 0 ? '0.00' : '4.90',
      weight_kg: next(5) === 0 ? null : (1 + next(200)) / 10,
      note: pick(words.notes, next(1000)),
      shipped_at: isOut ? new Date(created + (1 + next(5)) * DAY) : null,
      created_at: new Date(created),
    }
  })
}

export const orderItemRows = (made: readonly New<typeof products>[]): New<typeof orderItems>[] => {
  const next = numbers(5)
  return times(ORDERS, (index) => {
    // Steps of seven, so an order never has the same product twice.
    const first = next(made.length)
    return times(1 + next(5), (line) => {
      const product = (first + line * 7) % made.length
      return {
        order_id: index + 1,
        product_id: product + 1,
        quantity: 1 + next(4),
        unit_price: made[product]?.price ?? '1.00',
      }
    })
  }).flat()
}
