import { get, list, query, type Side } from './dialects.ts'
import type { Load } from './messages.ts'
import { PAGE } from './products.ts'
import { ORDERS } from './relations-databases.ts'

/** Different pages, so that requests do not share reads. None has an order with many items. */
const starts: readonly number[] = Array.from({ length: 200 }, (_, at) => (at * 7919) % (ORDERS - 1000))
const cities: readonly string[] = Array.from({ length: 100 }, (_, at) => `c${at}`)

/** What is asked, and the values that the requests differ in: the id that a page begins after, or a city. */
const asked = {
  'page of 20': starts,
  'with a to-one': starts,
  'with a to-many, 5 each': starts,
  'with two levels': starts,
  'with the count of a to-many': starts,
  'filtered over a to-one': cities,
  'filtered over a to-many': starts,
  'sorted over a to-one': [''],
} as const satisfies Readonly<Record<string, readonly (number | string)[]>>

export type Kind = keyof typeof asked
export const kinds = Object.keys(asked) as readonly Kind[]

/** Who includes related records. */
export type OrderSide = Extract<Side, 'modelrest' | 'by-hand' | 'zenstack' | 'dataui' | 'loopback'>

/** An order with what it includes. */
export type Order = Readonly<Record<string, unknown>>

/** How one asks a side, and reads what it answers. */
export interface Dialect {
  /** A kind that the side does not have is left out. */
  readonly requests: Readonly<Partial<Record<Kind, Load>>>
  readonly orders: (body: unknown, kind: Kind) => readonly Order[]
}

type Paths = Readonly<Partial<Record<Kind, (value: number | string) => string>>>

const requests = (paths: Paths): Dialect['requests'] =>
  Object.fromEntries(
    kinds.flatMap((kind) => (paths[kind] ? [[kind, get(...asked[kind].map(paths[kind]))]] : [])),
  )

type Counts = Readonly<Record<string, { readonly count?: number }>>

/** As the peers show it: a member with the count, or the items, or neither. */
const ourOrder = ({ _related, ...order }: Order): Order => {
  const count = (_related as Counts | undefined)?.['items']?.count
  if (count === undefined) return order
  const { items, ...rest } = order
  return { ...rest, count }
}
const ourOrders = (body: unknown): readonly Order[] => (list('items')(body) as readonly Order[]).map(ourOrder)

const ours = (rest: string): string => `/api/orders/?${rest}&limit=${PAGE}&count=none`

const zenstackOrder = ({ _count, ...order }: Order): Order =>
  _count === undefined ? order : { ...order, count: (_count as Order)['items'] }
const zenstack = (values: object): string =>
  `/rpc/order/findMany?${query({ q: JSON.stringify({ orderBy: { id: 'asc' }, ...values, take: PAGE }) })}`

const dataui = (search: object, ...more: readonly string[]): string =>
  `/orders?${[query({ s: JSON.stringify(search), sort: 'id,ASC', limit: String(PAGE) }), ...more].join('&')}`
/** Joined, and not shown. */
const datauiAlone = (rest: string): string => `/orders-alone?${rest}&limit=${PAGE}`

const loopback = (after: number | string, include: readonly (string | object)[] = []): string => {
  const filter = { where: { id: { gt: after } }, order: ['id ASC'], limit: PAGE }
  return `/orders?${query({ filter: JSON.stringify({ ...filter, ...(include.length > 0 && { include }) }) })}`
}

export const dialects: Readonly<Record<OrderSide, Dialect>> = {
  modelrest: {
    orders: ourOrders,
    requests: requests({
      'page of 20': (id) => ours(`id>${id}`),
      'with a to-one': (id) => ours(`id>${id}&include=customer`),
      'with a to-many, 5 each': (id) => ours(`id>${id}&include=items`),
      'with two levels': (id) => ours(`id>${id}&include=customer,items.product`),
      'with the count of a to-many': (id) => ours(`id>${id}&include=items(limit=0;count=exact)`),
      'filtered over a to-one': (city) => ours(`customer.city==${city}`),
      'filtered over a to-many': (id) => ours(`id>${id}&items.price>900`),
      'sorted over a to-one': () => ours('sort=customer.name'),
    }),
  },
  'by-hand': {
    orders: ourOrders,
    requests: requests({
      'page of 20': (id) => `/plain?after=${id}`,
      'with a to-one': (id) => `/to-one?after=${id}`,
      'with a to-many, 5 each': (id) => `/to-many?after=${id}`,
      'with two levels': (id) => `/two-levels?after=${id}`,
      'with the count of a to-many': (id) => `/counts?after=${id}`,
      'filtered over a to-one': (city) => `/in-city?city=${city}`,
      'filtered over a to-many': (id) => `/with-item?after=${id}`,
      'sorted over a to-one': () => '/by-customer',
    }),
  },
  zenstack: {
    orders: (body) => (list('data')(body) as readonly Order[]).map(zenstackOrder),
    requests: requests({
      'page of 20': (gt) => zenstack({ where: { id: { gt } } }),
      'with a to-one': (gt) => zenstack({ where: { id: { gt } }, include: { customer: true } }),
      'with a to-many, 5 each': (gt) => zenstack({ where: { id: { gt } }, include: { items: true } }),
      'with two levels': (gt) =>
        zenstack({
          where: { id: { gt } },
          include: { customer: true, items: { include: { product: true } } },
        }),
      'with the count of a to-many': (gt) =>
        zenstack({ where: { id: { gt } }, include: { _count: { select: { items: true } } } }),
      'filtered over a to-one': (city) => zenstack({ where: { customer: { city } } }),
      'filtered over a to-many': (gt) =>
        zenstack({ where: { id: { gt }, items: { some: { price: { gt: 900 } } } } }),
      'sorted over a to-one': () => zenstack({ orderBy: [{ customer: { name: 'asc' } }, { id: 'asc' }] }),
    }),
  },
  dataui: {
    // It has to show what it sorts by.
    orders: (body, kind) =>
      (body as readonly Order[]).map(({ customer, ...order }) =>
        kind === 'sorted over a to-one' || customer === undefined ? order : { ...order, customer },
      ),
    requests: requests({
      'page of 20': ($gt) => dataui({ id: { $gt } }),
      'with a to-one': ($gt) => dataui({ id: { $gt } }, 'join=customer'),
      'with a to-many, 5 each': ($gt) => dataui({ id: { $gt } }, 'join=items'),
      'with two levels': ($gt) =>
        dataui({ id: { $gt } }, 'join=customer', 'join=items', 'join=items.product'),
      'filtered over a to-one': (city) =>
        datauiAlone(`${query({ s: JSON.stringify({ 'customer.city': city }) })}&join=customer&sort=id,ASC`),
      'filtered over a to-many': ($gt) =>
        datauiAlone(
          `${query({ s: JSON.stringify({ id: { $gt }, 'items.price': { $gt: 900 } }) })}&join=items&sort=id,ASC`,
        ),
      'sorted over a to-one': () =>
        `/orders?${query({ join: 'customer||name' })}&sort=customer.name,ASC&sort=id,ASC&limit=${PAGE}`,
    }),
  },
  loopback: {
    orders: (body) => body as readonly Order[],
    requests: requests({
      'page of 20': (id) => loopback(id),
      'with a to-one': (id) => loopback(id, ['customer']),
      'with a to-many, 5 each': (id) => loopback(id, ['items']),
      'with two levels': (id) =>
        loopback(id, ['customer', { relation: 'items', scope: { include: [{ relation: 'product' }] } }]),
    }),
  },
}
