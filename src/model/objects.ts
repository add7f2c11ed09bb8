/**
 * What an object has itself under a name that a column, an application or a client chose: `constructor` and `toString` are
 * names as any other, and every object inherits something by them. `undefined`: it has nothing of its own.
 */
export const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined

/** An object as `{}` makes it, or the namespace of a module: no class, array, map or set. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** An object as JSON has them: not an array, and not null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What follows from an object alone is made once for it: a field's regular expression, a model's schemas. */
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

/** A value that is there, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

export const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** What follows from a value, at once where the value is there. */
export const after = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? value.then(next) : next(value)
