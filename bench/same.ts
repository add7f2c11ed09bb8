import { isDeepStrictEqual } from 'node:util'
import type { Dialect, Kind } from './dialects.ts'
import type { Load } from './messages.ts'
import {
  categories,
  changed,
  created,
  ids,
  PAGE,
  type Product,
  pages,
  product,
  ROWS,
  starts,
} from './products.ts'

const request = async (origin: string, path: string, { method, body }: Pick<Load, 'method' | 'body'>) => {
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(origin + path, { method, ...(body !== undefined && json) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  // Some sides answer a write without a body.
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

const all = Array.from({ length: ROWS }, (_, index) => product(index + 1))

/** The same records for the same place in the lists of `products.ts`. */
const lists: readonly (readonly [Kind, (place: number) => readonly Product[]])[] = [
  ['list with exact count', (place) => all.slice((pages[place] ?? 0) * PAGE).slice(0, PAGE)],
  [
    'filtered and sorted list',
    (place) =>
      all
        .filter(({ category, in_stock }) => category === categories[place] && in_stock)
        .sort((one, other) => other.price - one.price)
        .slice(0, PAGE),
  ],
  ['list without count', (place) => all.slice(starts[place] ?? 0).slice(0, PAGE)],
]

/** Every side reads what it is sent: a text is not a price. */
const assertRefused = async (name: string, origin: string, { paths, method, body }: Load): Promise<void> => {
  const wrong = JSON.parse(JSON.stringify(body).replace(`"price":${created.price}`, '"price":"x"')) as object
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(origin + paths[0], { method, headers, body: JSON.stringify(wrong) })
  if (status < 400 || status >= 500) throw new Error(`${name}: a wrong body was answered with ${status}.`)
}

/** @throws Error where a side shows other records, counts or effects than the table holds. Writes one record. */
export const assertSame = async (name: string, origin: string, dialect: Dialect): Promise<void> => {
  const { requests, records, record, count } = dialect
  const equal = (kind: Kind, found: unknown, expected: unknown): void => {
    if (isDeepStrictEqual(found, expected)) return
    const both = JSON.stringify({ found, expected }, null, 2)
    throw new Error(`${name}, ${kind}: the results differ.\n${both}`)
  }
  const ask = (load: Load, path = load.paths[0] ?? '') => request(origin, path, load)

  for (const [kind, expected] of lists) {
    const load = requests[kind]
    if (load === undefined) continue
    for (const place of [0, 1, 2]) {
      const body = await ask(load, load.paths[place])
      equal(kind, records(body), expected(place))
      if (kind === 'list with exact count') equal(kind, count(body), ROWS)
    }
  }
  const { 'get by id': get, create, update } = requests
  if (get === undefined || create === undefined || update === undefined) return
  const read = async (id: number) => {
    const path = get.paths[ids.indexOf(id)] ?? get.paths[0]?.replace(/\d+$/, String(id))
    return record(await ask(get, path))
  }
  for (const id of ids.slice(0, 5)) equal('get by id', await read(id), product(id))

  await assertRefused(name, origin, create)
  const { id, ...values } = record(await ask(create)) as Product
  equal('create', values, created)
  equal('create', await read(id), { id, ...created })

  const [updated = 0] = ids
  const body = await ask(update)
  const expected = { ...product(updated), ...changed }
  if (body !== undefined) equal('update', record(body), expected)
  equal('update', await read(updated), expected)
}
