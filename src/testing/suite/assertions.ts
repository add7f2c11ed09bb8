import assert, { AssertionError } from 'node:assert/strict'
import { setTimeout as elapsed } from 'node:timers/promises'

/** Puts what is wrong before the difference that the assertion reports. */
const explained = (wrong: string, check: () => void): void => {
  try {
    check()
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error
    const { message, actual, expected, operator } = error
    throw new AssertionError({ message: `${wrong}\n\n${message}`, actual, expected, operator })
  }
}

/** Asserts that two values are deeply equal. @param wrong what is wrong with the adapter if they are not */
export const same = (actual: unknown, expected: unknown, wrong: string): void =>
  explained(wrong, () => assert.deepEqual(actual, expected))

/** Asserts that an object has at least these members. @param wrong what is wrong with the adapter if it has not */
export const has = (actual: unknown, expected: object, wrong: string): void =>
  explained(wrong, () => assert.partialDeepStrictEqual(actual, expected))

/** More seconds than a slow machine needs. */
const MOST_SECONDS = 5

/** Asserts that something happens. @param wrong what is wrong with the adapter if it does not happen soon */
export const soon = async <Result>(event: Promise<Result>, wrong: string): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = new AssertionError({ message: `${wrong} (It did not happen within ${MOST_SECONDS} seconds.)` })
  const timer = setTimeout(() => reject(late), MOST_SECONDS * 1000)
  return await Promise.race([event, promise]).finally(() => clearTimeout(timer))
}

/** In milliseconds. */
const INTERVAL = 25

/** Repeats assertions until they hold. After `seconds`, the last failure is thrown. */
export const eventually = async (seconds: number, assertions: () => Promise<void>): Promise<void> => {
  const end = performance.now() + seconds * 1000
  for (;;) {
    // Always once more after the end: a machine that stood still must not fail the test.
    const isLast = performance.now() >= end
    try {
      return await assertions()
    } catch (error) {
      if (isLast) throw error
    }
    await elapsed(INTERVAL)
  }
}

/** Asserts that a text matches. @param wrong what is wrong with the adapter if it does not */
export const matches = (text: unknown, pattern: RegExp, wrong: string): void =>
  explained(wrong, () => assert.match(String(text), pattern))

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The pattern of a name. One that starts or ends with a letter must not be part of a longer one. */
export const bounded = (name: string): string =>
  `${/^\w/.test(name) ? '(?<!\\w)' : ''}${escaped(name)}${/\w$/.test(name) ? '(?!\\w)' : ''}`

/** Asserts that a text contains all names, in any order. @param wrong what is wrong with the adapter if it does not */
export const names = (text: unknown, wanted: readonly (string | number)[], wrong: string): void => {
  for (const name of wanted) matches(text, new RegExp(bounded(String(name))), `${wrong} (${name} is missing)`)
}
