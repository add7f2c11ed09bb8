import { expect } from 'vitest'

/** What an act throws, which must fail. */
export const errorOf = async (act: () => unknown): Promise<unknown> =>
  (async () => act())().then(
    () => expect.fail('It must fail.'),
    (error: unknown) => error,
  )

/** All that a log could print of an error. */
export const printed = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error) || depth > 5) return String(error)
  const own = Object.getOwnPropertyNames(error).map((name) => {
    const value: unknown = Reflect.get(error, name)
    return value instanceof Error ? printed(value, depth + 1) : JSON.stringify(value)
  })
  return [String(error), ...own].join('\n')
}
