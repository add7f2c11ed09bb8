import { Buffer } from 'node:buffer'

/**
 * A list as JSON text. `undefined`: it would have more than `most` bytes, and as soon as that is known no more of it is
 * written. A list of one is written whatever its size: who asks for a part could have no smaller one.
 */
export const jsonList = <Item>(
  items: readonly Item[],
  toJson: (item: Item) => object,
  most: number,
): string | undefined => {
  if (items.length <= 1) return JSON.stringify(items.map(toJson))
  const texts: string[] = []
  let bytes = 1
  for (let from = 0; from < items.length; ) {
    const batch: object[] = []
    for (let weight = 0; weight < BATCH && from < items.length; from++) {
      const json = toJson(items[from] as Item)
      weight += weightOf(json)
      batch.push(json)
    }
    const text = JSON.stringify(batch)
    bytes += Buffer.byteLength(text) - 1
    if (bytes > most) return undefined
    if (batch.length === items.length) return text
    texts.push(text.slice(1, -1))
  }
  return `[${texts.join(',')}]`
}

/** V8 writes many records at once faster than one after the other; so many characters are few enough to stop in time. */
const BATCH = 1_000_000

/** Only a walk would tell how large an object is: sixteen of them are a batch. */
const OBJECT = BATCH / 16

/** About as many characters as a record has where it has many. */
const weightOf = (json: object): number => {
  let weight = 0
  for (const value of Object.values(json)) {
    if (typeof value === 'string') weight += value.length
    else if (typeof value === 'object' && value !== null) weight += OBJECT
  }
  return weight
}
