/** A frozen record whose values are made when they are first asked for: 300 models must start at once. */
export const lazyRecord = <K extends string, T>(
  keys: readonly K[],
  make: (key: K) => T,
): Readonly<Record<K, T>> => {
  const made = new Map<K, T>()
  const valueAt = (key: K): T => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
  const record = {} as Record<K, T>
  for (const key of keys) Object.defineProperty(record, key, { enumerable: true, get: () => valueAt(key) })
  return Object.freeze(record)
}
