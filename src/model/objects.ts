/**
 * The own property of an object. Names such as `constructor` may come from a column or client, so inherited ones do not
 * count.
 */
export const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined

/** Whether a value is an object literal or a module namespace, not an instance, array, map or set. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** A copy that shares no arrays, object literals and dates with the value. */
export const deepCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (value instanceof Date) return new Date(value)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deepCopy(inner)]))
}

/** Field name -> value of a record. */
export type Values = Readonly<Record<string, unknown>>

/** Caches a value that depends only on an object, such as the schemas of a model. */
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

/** A frozen record with lazy values, because an application with 300 models must start quickly. */
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

/** Creates a value on first use. */
export const lazily = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

export const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Like `then`, but synchronous if the value is not a promise. */
export const after = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? value.then(next) : next(value)

/** Error handling for statements: synchronous with a synchronous driver, else with promises. */
export interface ErrorHandling {
  /** Calls `act`, and `recover` with the same arguments if it fails. */
  recovering<Args extends unknown[], T>(
    act: (...args: Args) => Awaitable<T>,
    recover: (error: unknown, ...args: Args) => Awaitable<T>,
  ): (...args: Args) => Awaitable<T>
  /** Calls `act`, then always `end`. `failure`: the error of `act`. */
  ending<T>(act: () => Awaitable<T>, end: (failure?: { readonly error: unknown }) => void): Awaitable<T>
}

const errorHandlingWith = (recovering: ErrorHandling['recovering']): ErrorHandling =>
  Object.freeze<ErrorHandling>({
    recovering,
    ending: <T>(act: () => Awaitable<T>, end: Parameters<ErrorHandling['ending']>[1]) =>
      recovering(
        () =>
          after(act(), (result): T => {
            end()
            return result
          }),
        (error) => {
          end({ error })
          throw error
        },
      )(),
  })

const syncErrorHandling = errorHandlingWith((act, recover) => (...args) => {
  try {
    return act(...args)
  } catch (error) {
    return recover(error, ...args)
  }
})

export const asyncErrorHandling: ErrorHandling = errorHandlingWith((act, recover) => (...args) => {
  try {
    return Promise.resolve(act(...args)).then(undefined, (error: unknown) => recover(error, ...args))
  } catch (error) {
    return Promise.resolve(error).then((thrown) => recover(thrown, ...args))
  }
})

export const errorHandlingOf = ({ synchronous }: { readonly synchronous: boolean }): ErrorHandling =>
  synchronous ? syncErrorHandling : asyncErrorHandling

/** Sets a value in nested objects, which it makes where they are missing. */
export const putAt = (object: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  let at = object
  for (const [place, name] of path.entries())
    if (place === path.length - 1) at[name] = value
    else {
      at[name] ??= {}
      at = at[name] as Record<string, unknown>
    }
}
