import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Shop, shops } from '../../stage/shop.ts'

/** What is stored of an order, in plain code. */
interface Order {
  readonly items: ReadonlyMap<
    number,
    { readonly sku: string | null; readonly price: number; readonly quantity: number }
  >
  readonly notes: ReadonlyMap<number, string>
  readonly tags: ReadonlySet<number>
}

interface World {
  readonly orders: ReadonlyMap<number, Order>
  readonly nextItem: number
}

type ItemBody = {
  readonly id?: number
  readonly sku?: string | null
  readonly price?: number
  readonly quantity?: number
}
type NoteBody = { readonly line: number; readonly text?: string }

interface Body {
  readonly items?:
    | readonly ItemBody[]
    | { create?: readonly ItemBody[]; update?: readonly ItemBody[]; delete?: readonly number[] }
  readonly notes?:
    | readonly NoteBody[]
    | { create?: readonly NoteBody[]; update?: readonly NoteBody[]; delete?: readonly number[] }
  readonly tags?: readonly number[]
}

class Refused extends Error {}
const refuse = (): never => {
  throw new Refused()
}
const isUnique = (keys: readonly unknown[]): boolean => new Set(keys).size === keys.length

/** As texts, which is how requests agree on an order. */
const inKeyOrder = (items: readonly ItemBody[]): readonly ItemBody[] =>
  items.toSorted((a, b) => (JSON.stringify([a.id]) < JSON.stringify([b.id]) ? -1 : 1))

/** What a request stores, or that it is refused. The order of writes decides who gets a unique value. */
const written = (world: World, id: number, body: Body): World => {
  const orders = new Map(
    [...world.orders].map(([key, order]) => [
      key,
      { ...order, items: new Map(order.items), notes: new Map(order.notes) },
    ]),
  )
  const order = orders.get(id) ?? refuse()
  let { nextItem } = world
  const isTaken = (sku: string | null | undefined, own?: number): boolean =>
    sku != null &&
    [...orders.values()].some(({ items }) =>
      [...items].some(([key, item]) => item.sku === sku && key !== own),
    )
  const store = (key: number, item: { sku: string | null; price: number; quantity: number }): void => {
    if (isTaken(item.sku, key)) refuse()
    order.items.set(key, item)
  }
  const usual = { sku: null, quantity: 1 }
  const { items, notes, tags = [...order.tags] } = body
  const itemPlan =
    items === undefined
      ? {}
      : 'length' in items
        ? {
            create: items.filter((item) => item.id === undefined),
            update: items.filter((item) => item.id !== undefined).map((item) => ({ ...usual, ...item })),
            delete: [...order.items.keys()].filter((key) => !items.some((item) => item.id === key)),
          }
        : items
  const updated = itemPlan.update ?? []
  const gone = itemPlan.delete ?? []
  const touched = [...updated.map((item) => item.id ?? 0), ...gone]
  if (!isUnique(touched) || touched.some((key) => !order.items.has(key))) refuse()
  if (!isUnique(tags) || tags.some((tag) => tag > 4)) refuse()
  const noteLines =
    notes === undefined
      ? []
      : 'length' in notes
        ? notes.map(({ line }) => line)
        : [...(notes.update ?? []).map(({ line }) => line), ...(notes.delete ?? [])]
  if (!isUnique(noteLines)) refuse()
  if (notes !== undefined && !('length' in notes) && noteLines.some((line) => !order.notes.has(line)))
    refuse()
  for (const key of gone) order.items.delete(key)
  for (const { id: key = 0, ...item } of inKeyOrder(updated))
    store(key, { ...(order.items.get(key) ?? { ...usual, price: 0 }), ...item })
  for (const item of itemPlan.create ?? []) store(nextItem++, { ...usual, price: 0, ...item })
  if (notes !== undefined && 'length' in notes) {
    for (const line of [...order.notes.keys()]) if (!noteLines.includes(line)) order.notes.delete(line)
    for (const { line, text = '' } of notes) order.notes.set(line, text)
  } else {
    for (const line of notes?.delete ?? []) order.notes.delete(line)
    for (const { line, text } of notes?.update ?? []) if (text !== undefined) order.notes.set(line, text)
    for (const { line, text = '' } of notes?.create ?? [])
      order.notes.has(line) ? refuse() : order.notes.set(line, text)
  }
  orders.set(id, { ...order, tags: new Set(tags) })
  return { orders, nextItem }
}

const sku = fc.option(fc.constantFrom('a', 'b', 'c', 'd'))
const price = fc.integer({ min: 0, max: 99 })
const key = fc.integer({ min: 1, max: 12 })
const line = fc.integer({ min: 1, max: 4 })
const text = fc.constantFrom('x', 'y', 'z')
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 })
const newItem = fc.record(
  { sku, price, quantity: fc.integer({ min: 1, max: 9 }) },
  { requiredKeys: ['price'] },
)
const tags = few(fc.integer({ min: 1, max: 5 }))
const optional = { requiredKeys: [] }

const put = fc.record(
  {
    items: few(fc.oneof(newItem, fc.record({ id: key, price, sku }, { requiredKeys: ['id', 'price'] }))),
    notes: few(fc.record({ line, text })),
    tags,
  },
  optional,
)
const patch = fc.record(
  {
    items: fc.record(
      {
        create: few(newItem),
        update: few(fc.record({ id: key, price, sku }, { requiredKeys: ['id'] })),
        delete: few(key),
      },
      optional,
    ),
    notes: fc.record(
      {
        create: few(fc.record({ line, text })),
        update: few(fc.record({ line, text }, { requiredKeys: ['line'] })),
        delete: few(line),
      },
      optional,
    ),
    tags,
  },
  optional,
)
const request = fc.oneof(
  fc.record({ method: fc.constant('PUT' as const), order: fc.integer({ min: 1, max: 2 }), body: put }),
  fc.record({ method: fc.constant('PATCH' as const), order: fc.integer({ min: 1, max: 2 }), body: patch }),
)

const storedIn = async ({ rows }: Shop): Promise<unknown> => {
  const order = async (id: number) => ({
    items: await rows(`select id, sku, price, quantity from order_items where order_id = ${id} order by id`),
    notes: await rows(`select line, text from order_notes where order_id = ${id} order by line`),
    tags: (await rows(`select tag_id from order_tags where order_id = ${id} order by tag_id`)).map(
      ({ tag_id }) => tag_id,
    ),
  })
  return [await order(1), await order(2)]
}

const shown = ({ orders }: World): unknown =>
  [1, 2].map((id) => {
    const { items = new Map(), notes = new Map(), tags: known = new Set<number>() } = orders.get(id) ?? {}
    return {
      items: [...items].map(([own, item]) => ({ id: own, ...item })).sort((a, b) => a.id - b.id),
      notes: [...notes].map(([own, value]) => ({ line: own, text: value })).sort((a, b) => a.line - b.line),
      tags: [...known].sort(),
    }
  })

describe.each([
  ['better-sqlite3 in one tick', shops.oneTick, 25, false],
  ['PGlite', shops.pglite, 6, true],
] as const)('random bodies with related records on %s', (_name, start, numRuns, isCounting) => {
  test('store what plain code says, or nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 5, maxLength: 12 }), async (requests) => {
        const shop = await start()
        try {
          const empty: Order = { items: new Map(), notes: new Map(), tags: new Set() }
          let world: World = {
            orders: new Map([
              [1, empty],
              [2, empty],
            ]),
            nextItem: 1,
          }
          for (const { method, order, body } of requests) {
            // A sequence does not take back the keys of a request that was rolled back.
            if (isCounting)
              await shop.execute(`alter sequence order_items_id_seq restart with ${world.nextItem}`)
            const sent = method === 'PUT' ? { title: 'x', ...body } : body
            const reply = await shop.send(method, `/orders/${order}`, { body: sent })
            let expected: World | undefined
            try {
              expected = written(world, order, body as Body)
            } catch (error) {
              if (!(error instanceof Refused)) throw error
            }
            const place = `${method} ${JSON.stringify(sent)}: ${reply.text}`
            expect(reply.status < 300, place).toBe(expected !== undefined)
            if (expected !== undefined) world = expected
            else expect([409, 422], place).toContain(reply.status)
            expect(await storedIn(shop), place).toEqual(shown(world))
          }
          expect(shop.errors).toEqual([])
        } finally {
          await shop.stop()
        }
      }),
      { numRuns },
    )
  })
})
