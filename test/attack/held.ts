import type { Cache } from '../../src/cache/cache.ts'

/** Holds something back until a test lets it go on. */
export interface Gate {
  /** Settles once something waits here. */
  readonly reached: Promise<void>
  /** To be called by what is held back. After `open` it holds nothing. */
  pass(): Promise<void>
  open(): void
}

export const gate = (): Gate => {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    pass: () => {
      reached.resolve()
      return opened.promise
    },
    open: () => opened.resolve(),
  }
}

/** A cache, as slow as a test wants it: `before` is asked before each act. */
export const slowCache = (cache: Cache, before: (act: keyof Cache, key: string) => Promise<void>): Cache => ({
  get: async (key) => {
    await before('get', key)
    return cache.get(key)
  },
  getMany: async (keys) => {
    await before('getMany', keys.join(' '))
    return cache.getMany(keys)
  },
  set: async (key, value, seconds) => {
    await before('set', key)
    await cache.set(key, value, seconds)
  },
  add: async (key, value, seconds) => {
    await before('add', key)
    return cache.add(key, value, seconds)
  },
  count: async (key, by, seconds) => {
    await before('count', key)
    return cache.count(key, by, seconds)
  },
  delete: async (key) => {
    await before('delete', key)
    await cache.delete(key)
  },
})
