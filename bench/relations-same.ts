import { isDeepStrictEqual } from 'node:util'
import type { Load } from './messages.ts'
import { dialects, type Kind, kinds, type Order, type OrderSide } from './relations-dialects.ts'

const bodies = (origin: string, { paths }: Load): Promise<readonly unknown[]> =>
  Promise.all(
    paths.slice(0, 3).map(async (path) => {
      const response = await fetch(origin + path)
      if (!response.ok) throw new Error(`${response.url}: ${await response.text()}`)
      return response.json()
    }),
  )

/** Not every side says in which order it includes items. */
const ordered = (order: Order): Order => {
  const items = order['items'] as readonly { readonly id: number }[] | undefined
  return items === undefined ? order : { ...order, items: items.toSorted((one, other) => one.id - other.id) }
}

/** @throws Error where a side answers a kind of request with other orders or related records than ours. */
export const assertSame = async (ours: string, side: OrderSide, origin: string): Promise<void> => {
  const read = async (from: string, of: OrderSide, kind: Kind): Promise<readonly unknown[] | undefined> => {
    const load = dialects[of].requests[kind]
    if (load === undefined) return undefined
    const found = await bodies(from, load)
    // The responses that are written by hand are ours in every member.
    return side === 'by-hand' ? found : found.map((body) => dialects[of].orders(body, kind).map(ordered))
  }
  for (const kind of kinds) {
    const found = await read(origin, side, kind)
    if (found === undefined) continue
    const expected = await read(ours, 'modelrest', kind)
    if (!isDeepStrictEqual(found, expected))
      throw new Error(
        `${side}, ${kind}: the results differ.\n${JSON.stringify({ found, expected }, null, 2)}`,
      )
  }
}
