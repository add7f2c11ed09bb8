import { bounded } from '../src/testing/suite/assertions.ts'

/**
 * Matches a message that has all of these names, in any order: `expect(start).toThrow(naming('pageSize', '1 to 1000'))`.
 * A name that is given twice is there twice, as one that is suggested and stands in a list of those allowed.
 * Tests hold to the names, so that a sentence can be written better without them.
 */
export const naming = (...names: readonly (string | number)[]): RegExp =>
  new RegExp(`^${names.map((name) => `(?=${there(name).repeat(timesIn(names, name))})`).join('')}`, 's')

const there = (name: string | number): string => `.*${bounded(String(name))}`

const timesIn = (names: readonly unknown[], name: unknown): number =>
  names.filter((other) => other === name).length
