import type { Load } from './messages.ts'
import { categories, changed, created, ids, PAGE, pages, starts } from './products.ts'

/** What is asked, in the order of the report. */
export const kinds = [
  'list with exact count',
  'filtered and sorted list',
  'list without count',
  'get by id',
  'create',
  'update',
] as const
export type Kind = (typeof kinds)[number]

/** Who is compared: the name of its module or folder too. */
export type Side =
  | ('by-hand' | 'modelrest' | 'modelrest-sync' | 'modelrest-nest')
  | ('remult' | 'zenstack' | 'feathers' | 'dataui' | 'loopback')

/** How one asks a side, and reads what it answers. */
export interface Dialect {
  /** A kind that the side does not have is left out. */
  readonly requests: Readonly<Partial<Record<Kind, Load>>>
  readonly records: (body: unknown) => readonly unknown[]
  readonly record: (body: unknown) => unknown
  readonly count: (body: unknown) => unknown
}

interface Lists {
  /** A page of all records. */
  readonly counted?: (page: number) => string
  /** The dearest in stock of a category. */
  readonly filtered: (category: string) => string
  /** What follows an id. */
  readonly uncounted?: (after: number) => string
}

interface Writes {
  readonly method?: 'PATCH' | 'PUT'
  readonly body?: (values: object) => object
}

export const get = (...paths: readonly string[]): Load => ({ method: 'GET', paths })

/** The requests of a side that has a collection at `base` and its records below it. */
const rest = (
  base: string,
  { counted, filtered, uncounted }: Lists,
  { method = 'PATCH', body = (values) => values }: Writes = {},
): Dialect['requests'] => {
  const each = ids.map((id) => `${base.replace(/\/$/, '')}/${id}`)
  return {
    ...(counted !== undefined && { 'list with exact count': get(...pages.map(counted)) }),
    'filtered and sorted list': get(...categories.map(filtered)),
    ...(uncounted !== undefined && { 'list without count': get(...starts.map(uncounted)) }),
    'get by id': get(...each),
    create: { method: 'POST', paths: [base], body: body(created) },
    update: { method, paths: each, body: body(changed) },
  }
}

const member =
  (...path: readonly string[]) =>
  (body: unknown): unknown =>
    path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], body)
/** The records that are a member of a body, or the body itself. */
export const list =
  (...path: readonly string[]) =>
  (body: unknown): readonly unknown[] =>
    member(...path)(body) as readonly unknown[]
const itself = (body: unknown): unknown => body

/** `bare` records and no wrapper. */
const bare = { records: list(), record: itself, count: () => undefined }

/** A record of JSON:API, whose id is a text beside its attributes. */
const ofJsonApi = (value: unknown): unknown => {
  const { id, attributes } = value as { readonly id: string; readonly attributes: object }
  return { id: Number(id), ...attributes }
}

const itemsAndCount = { records: list('items'), record: itself, count: member('count') }

export const query = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(values).toString()
const limit = String(PAGE)
const inCategory = (category: string) => ({ category, in_stock: true })

const zenstackQuery = (values: object): string =>
  `/rpc/product/findMany?${query({ q: JSON.stringify({ ...values, take: PAGE }) })}`
const loopbackQuery = (values: object): string =>
  `/products?${query({ filter: JSON.stringify({ ...values, limit: PAGE }) })}`

const modelrest: Dialect = {
  ...itemsAndCount,
  requests: rest('/api/products/', {
    counted: (page) => `/api/products/?limit=${PAGE}&offset=${page * PAGE}`,
    filtered: (category) =>
      `/api/products/?category==${category}&in_stock=true&sort=price&order=desc&limit=${PAGE}&count=none`,
    uncounted: (after) => `/api/products/?id>${after}&limit=${PAGE}&count=none`,
  }),
}

export const dialects: Readonly<Record<Side, Dialect>> = {
  ...{ modelrest, 'modelrest-sync': modelrest, 'modelrest-nest': modelrest },
  'by-hand': {
    ...itemsAndCount,
    requests: rest('/api/products/', {
      counted: (page) => `/api/products/?limit=${PAGE}&offset=${page * PAGE}`,
      filtered: (category) =>
        `/api/products/?category=${category}&in_stock=true&sort=-price&limit=${PAGE}&count=none`,
      uncounted: (after) => `/api/products/?after=${after}&limit=${PAGE}&count=none`,
    }),
  },
  remult: {
    ...bare,
    requests: rest(
      '/api/products',
      {
        filtered: (category) =>
          `/api/products?${query({ category, in_stock: 'true', _sort: 'price', _order: 'desc', _limit: limit })}`,
        uncounted: (after) => `/api/products?${query({ 'id.gt': String(after), _limit: limit })}`,
      },
      { method: 'PUT' },
    ),
  },
  zenstack: {
    records: (body: unknown) =>
      list('data')(body).map((one) => ('attributes' in (one as object) ? ofJsonApi(one) : one)),
    record: (body: unknown) => ofJsonApi(member('data')(body)),
    count: member('meta', 'total'),
    requests: rest(
      '/api/product',
      {
        counted: (page) =>
          `/api/product?${query({ 'page[limit]': limit, 'page[offset]': String(page * PAGE) })}`,
        filtered: (category) =>
          zenstackQuery({ where: inCategory(category), orderBy: [{ price: 'desc' }, { id: 'asc' }] }),
        uncounted: (after) => zenstackQuery({ where: { id: { gt: after } }, orderBy: { id: 'asc' } }),
      },
      { body: (attributes) => ({ data: { type: 'product', attributes } }) },
    ),
  },
  feathers: {
    records: list('data'),
    record: itself,
    count: member('total'),
    requests: rest('/products', {
      counted: (page) => `/products?${query({ $limit: limit, $skip: String(page * PAGE) })}`,
      filtered: (category) =>
        `/products?${query({ category, in_stock: 'true', '$sort[price]': '-1', '$sort[id]': '1', $limit: limit })}`,
    }),
  },
  dataui: {
    records: (body: unknown) => (Array.isArray(body) ? body : list('data')(body)),
    record: itself,
    count: member('total'),
    requests: rest('/products', {
      counted: (page) => `/products?${query({ limit, page: String(page + 1) })}`,
      filtered: (category) =>
        `/products?s=${encodeURIComponent(JSON.stringify(inCategory(category)))}&sort=price,DESC&sort=id,ASC&limit=${PAGE}`,
      uncounted: (after) =>
        `/products?${query({ s: JSON.stringify({ id: { $gt: after } }), sort: 'id,ASC', limit })}`,
    }),
  },
  loopback: {
    ...bare,
    requests: rest('/products', {
      filtered: (category) => loopbackQuery({ where: inCategory(category), order: ['price DESC', 'id ASC'] }),
      uncounted: (after) => loopbackQuery({ where: { id: { gt: after } }, order: ['id ASC'] }),
    }),
  },
}
