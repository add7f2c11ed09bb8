import { isDeepStrictEqual } from 'node:util'
import { get } from './dialects.ts'
import type { Load } from './messages.ts'
import { CATEGORIES, category, type New, PAGE, type Product, product, ROWS } from './sources/shop.ts'

/** They differ from request to request: equal lists at the same time could share a statement. */
const categories = Array.from({ length: CATEGORIES }, (_, at) => 1 + ((at * 37) % CATEGORIES))
const ids = Array.from({ length: 1000 }, (_, at) => 1 + ((at * 48_271) % ROWS))

const list = (more: string) => (id: number) =>
  `/api/products/?category_id=${id}&in_stock=true&sort=price&order=desc&limit=${PAGE}&${more}`
const one = (id: number): string => `/api/products/${id}`

/** The category has no other products, which lists would show. */
const created: New = { name: 'Desk lamp', category_id: CATEGORIES, price: 990, stock: 12, in_stock: false }
const changed = { stock: 7 }

/** The same on both sides. */
export const requests = {
  'list of 20': get(...categories.map(list('count=none'))),
  'list with its count': get(...categories.map(list('count=exact'))),
  'list with a to-one': get(...categories.map(list('count=none&include=category'))),
  'get by id': get(...ids.map(one)),
  create: { method: 'POST', paths: ['/api/products/'], body: created },
  update: { method: 'PATCH', paths: ids.map(one), body: changed },
} as const satisfies Readonly<Record<string, Load>>

export type Kind = keyof typeof requests
export const kinds = Object.keys(requests) as readonly Kind[]

const all = Array.from({ length: ROWS }, (_, at) => product(at + 1))
const dearest = (of: number): readonly Product[] =>
  all
    .filter(({ category_id, in_stock }) => category_id === of && in_stock)
    .sort((one, other) => other.price - one.price)

const expectedOf = (kind: Kind, at: number): unknown => {
  const found = dearest(categories[at] ?? 0)
  const page = { items: found.slice(0, PAGE), count: null, count_exact: false }
  const id = ids[at] ?? 0
  const expected: Readonly<Record<Kind, unknown>> = {
    'list of 20': page,
    'list with its count': { ...page, count: found.length, count_exact: true },
    'list with a to-one': {
      ...page,
      items: page.items.map((item) => ({ ...item, category: category(item.category_id) })),
    },
    'get by id': product(id),
    create: { id: ROWS + 1, ...created },
    update: { ...product(id), ...changed },
  }
  return expected[kind]
}

/** @throws Error where a server shows other records than the tables hold, or reads a wrong body. Writes records. */
export const assertSame = async (name: string, origin: string): Promise<void> => {
  for (const kind of kinds) {
    const { method, paths, body }: Load = requests[kind]
    const send = (sent: object | undefined, path: string) =>
      fetch(origin + path, {
        method,
        ...(sent && { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }),
      })
    for (const [at, path] of paths.slice(0, 3).entries()) {
      const response = await send(body, path)
      const [found, expected] = [await response.json(), expectedOf(kind, at)]
      if (!response.ok || !isDeepStrictEqual(found, expected))
        throw new Error(`${name}, ${kind}: ${JSON.stringify({ found, expected }, null, 2)}`)
      if (body === undefined) continue
      const { status } = await send({ ...body, stock: 'x' }, path)
      if (status < 400 || status > 499)
        throw new Error(`${name}, ${kind}: a wrong body has status ${status}.`)
    }
  }
}
