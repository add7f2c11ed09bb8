import { byBytes } from '../model/codec.ts'
import { ownValue } from '../model/objects.ts'

/** A key of an object, or a place in an array. */
export type JsonStep = string | number

/** A value with which one inside JSON is compared. */
export type JsonScalar = string | number | boolean

/**
 * How a value inside JSON is compared. Values of different types are different, and have no order. `matches`: a text contains
 * the value, ignoring case; of an array, some element equals it; anything else equals it.
 */
export type JsonComparison = 'eq' | 'lt' | 'le' | 'gt' | 'ge' | 'matches'

export const jsonComparisons: readonly JsonComparison[] = Object.freeze([
  ...(['eq', 'lt', 'le', 'gt', 'ge', 'matches'] as const),
])

/** The value at the end of a path. A missing value is null. */
export const jsonAt = (document: unknown, path: readonly JsonStep[]): unknown => {
  let at = document
  for (const step of path) {
    const isThere = typeof step === 'number' ? Array.isArray(at) : isObject(at)
    if (!isThere) return null
    at =
      typeof step === 'number' ? (at as readonly unknown[]).at(step) : ownValue(at as object as Members, step)
  }
  return at ?? null
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param contains whether a text contains another one, ignoring case */
export const jsonHolds = (
  stored: unknown,
  op: JsonComparison,
  value: JsonScalar,
  contains: (stored: string, value: string) => boolean,
): boolean => {
  if (op !== 'matches') return typeof stored === typeof value && orders[op](compared(stored, value))
  if (Array.isArray(stored)) return stored.includes(value)
  if (typeof stored === 'string' && typeof value === 'string') return contains(stored, value)
  return stored === value
}

const compared = (stored: unknown, value: JsonScalar): number =>
  typeof value === 'string' ? byBytes(stored, value) : Number(stored) - Number(value)

const orders: Readonly<Record<Exclude<JsonComparison, 'matches'>, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
}
