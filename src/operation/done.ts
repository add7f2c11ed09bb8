/**
 * Steps that are at their end, with a value that was there. Most values are, and a generator for each would cost a
 * request a third of its path.
 */
export const done = <T>(value: T): Generator<unknown, T, unknown> => new Done(value)

class Done<T> implements Generator<unknown, T, unknown> {
  readonly value: T
  readonly done = true

  constructor(value: T) {
    this.value = value
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): this {
    return this
  }

  return(value: T): IteratorReturnResult<T> {
    return { done: true, value }
  }

  throw(error: unknown): never {
    throw error
  }

  [Symbol.dispose](): void {}
}
