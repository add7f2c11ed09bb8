import fc from 'fast-check'

/** What stands in a path for `{id}`. */
export type Id =
  /** The key of a record that exists. */
  | { readonly pick: number }
  /** Already as it stands in the path. */
  | { readonly raw: string }

const segments = fc.oneof(
  fc.constantFrom(
    ...['0', '-1', '1.5', '1e3', '01', '+1', ' 1', '1 ', 'abc', 'null', ',', '1,', ',1', '1,2,3', '1;2', "'"],
    ...[
      '9007199254740993',
      '99999999999999999999',
      '9223372036854775808',
      '%00',
      '%ff',
      '%c3%28',
      '%',
      '%zz',
      '1%',
    ],
    ...[
      '1%2C2',
      '1,2',
      '00000000-0000-4000-8000-000000000000',
      'x'.repeat(99),
      'x'.repeat(101),
      'x'.repeat(2000),
    ],
  ),
  fc.integer().map(String),
  fc.string({ unit: 'binary', maxLength: 200 }).map(encodeURIComponent),
  fc.string({ unit: fc.constantFrom(..."azAZ09,;=%~!*'()-_+:@$&"), maxLength: 20 }),
)

/** Another path: an empty segment, or one that URLs leave out. */
const isOther = (segment: string): boolean => /^(?:\.|%2e){0,2}$/i.test(segment)

/** Fastify refuses a path with a broken percent-encoding before it looks for a route (docs/hosts.md). */
const isBroken = (segment: string): boolean => {
  try {
    decodeURIComponent(segment)
    return false
  } catch {
    return true
  }
}

export const noiseIds: fc.Arbitrary<Id> = segments
  .filter((segment) => !isOther(segment) && !isBroken(segment))
  .map((raw) => ({ raw }))

export const existingIds: fc.Arbitrary<Id> = fc.nat().map((pick) => ({ pick }))
