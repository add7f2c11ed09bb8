/** A column, an application or a client may choose the name `constructor`: what an object inherits does not count. */
export const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined

/** An object as `{}` makes it, or the namespace of a module: no class, array, map or set. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Values of a record, by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>

/** Makes once what follows only from an object: a field's regular expression, a model's schemas. */
export const onceFor = <O extends object, T>(make: (of: O) => T): ((of: O) => T) => {
  const made = new WeakMap<O, { readonly value: T }>()
  return (of) => {
    const known = made.get(of)
    if (known !== undefined) return known.value
    const value = make(of)
    made.set(of, { value })
    return value
  }
}

/** A frozen record whose values are made when they are first asked for: 300 models must start at once. */
export const lazyRecord = <K extends string, T>(
  keys: readonly K[],
  make: (key: K) => T,
): Readonly<Record<K, T>> => {
  const made = new Map<K, T>()
  const record = {} as Record<K, T>
  for (const key of keys)
    Object.defineProperty(record, key, {
      enumerable: true,
      get: () => made.get(key) ?? made.set(key, make(key)).get(key),
    })
  return Object.freeze(record)
}

/** What is made when it is first asked for. */
export const lazily = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export type Awaitable<T> = T | PromiseLike<T>

export const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Goes on at once if the value is not a promise. */
export const after = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? value.then(next) : next(value)
