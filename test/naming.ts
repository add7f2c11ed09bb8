const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * Matches a message that has all of these names, in any order: `expect(start).toThrow(naming('pageSize', '1 to 1000'))`.
 * Tests hold to the names, so that a sentence can be written better without them.
 */
export const naming = (...names: readonly (string | number)[]): RegExp =>
  new RegExp(`^${names.map((name) => `(?=.*${bounded(escaped(String(name)))})`).join('')}`, 's')

/** A name that begins or ends with a letter is no part of a longer one. */
const bounded = (name: string): string =>
  `${/^\w/.test(name) ? '(?<!\\w)' : ''}${name}${/\w$/.test(name) ? '(?!\\w)' : ''}`
