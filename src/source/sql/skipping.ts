import { LRUCache } from 'lru-cache'

/** How often a statement is not tried again that was of no use. */
const SKIPPED = 50

/** Total length of the statements that are known to be of no use. Clients choose their fields and order. */
const KNOWN_CHARACTERS = 100_000

/** Remembers which statements were of no use. */
export const skippingIn = () => {
  const skipped = new LRUCache<string, number>({ maxSize: KNOWN_CHARACTERS })
  const keep = (name: string, times: number): void => void skipped.set(name, times, { size: name.length })
  return {
    /** Whether the statement is not tried this time. */
    skips: (name: string): boolean => {
      const left = skipped.get(name) ?? 0
      if (left > 0) keep(name, left - 1)
      return left > 0
    },
    failed: (name: string): void => keep(name, SKIPPED),
  }
}
