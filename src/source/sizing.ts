import type { Field, Model } from '../model/model.ts'
import { onceFor } from '../model/objects.ts'
import type { Aggregation } from '../query/ast.ts'
import type { Admits } from './source.ts'

/** Knows how large the records of a model are, so that large ones are not read before they are admitted. */
interface Sizing {
  /**
   * Whether so many records may be so large that their sizes must be known before they are read.
   *
   * @param fields those that are read. @default all
   */
  isUnsure(records: number, fields?: readonly string[]): boolean
  /** The same for a source that parses JSON before it can ask: also if too few records were read to say something about others. */
  isUnknown(records: number, fields?: readonly string[]): boolean
  /** The memory that the largest record takes of those that were read, in bytes. 0: no large one was. */
  atMost(): number
  /** How many records to read at once of those whose sizes are unknown. */
  atOnce(fields?: readonly string[]): number
  /** `admits`, with what the rows take in memory, and what they say about others. `undefined` admits all. */
  admitting(
    admits: Admits | undefined,
    fields?: readonly string[],
  ): (sizes: readonly number[], json?: number) => ReturnType<Admits>
}

/** In bytes. Statements that read no more need not know more. */
const SMALL = 1_048_576
/** In bytes. A record of an unknown size is assumed to have this one. */
const ASSUMED = 4096
/** In milliseconds. For so long, records count as small after many small ones were read, unless a large one was before. */
const TRUSTED = 10_000
/** Fewer records say nothing about others. */
const MANY = 100
/** What a value takes besides its text and bytes, approximately. */
const VALUE = 16
/** Parsed JSON takes up to so many times the size of its text. */
export const JSON_FACTOR = 20
/** So many records with JSON of any size are parsed at once: several requests may begin together. */
export const FEW_PARSED = 1
/** Of selections of different fields. */
const MOST_KNOWN = 64
/** A longer string or binary value counts as one without a bound. */
const BOUND = 1000

const endless: ReadonlySet<Field['kind']> = new Set([
  ...(['text', 'bytes', 'json', 'array', 'opaque'] as const),
  ...(['decimal', 'file', 'image'] as const),
])

/** Whether the database does not limit the values of a field to a small size. */
export const isEndless = ({ kind, maxLength = Number.POSITIVE_INFINITY, precision }: Field): boolean =>
  endless.has(kind) && Math.min(maxLength, precision ?? maxLength) > BOUND

interface Known {
  readonly largest: number
  readonly at: number
}

/** The same for all stores of a model. */
export const sizingOf: (model: Model) => Sizing = onceFor((model: Model): Sizing => {
  const open = model.fields.filter(isEndless)
  const decoded = new Set(model.fields.filter(({ form }) => form === 'json').map(({ name }) => name))
  const known = new Map<string, Known>()
  let seen = 0

  const openIn = (fields: readonly string[] | undefined): readonly Field[] =>
    fields === undefined ? open : open.filter(({ name }) => fields.includes(name))

  const keyOf = (fields: readonly string[] | undefined): string =>
    openIn(fields)
      .map(({ name }) => name)
      .join()

  const isTrusted = ({ at }: Known): boolean => performance.now() - at < TRUSTED

  const largestOf = (fields: readonly string[] | undefined): number => {
    const found = known.get(keyOf(fields))
    if (found === undefined) return ASSUMED
    return isTrusted(found) ? found.largest : Math.max(found.largest, ASSUMED)
  }

  const note = (sizes: readonly number[], fields: readonly string[] | undefined): void => {
    let largest = 1
    for (const size of sizes) if (size > largest) largest = size
    seen += sizes.length
    if (sizes.length < MANY && largest <= largestOf(fields)) return
    const key = keyOf(fields)
    const found = known.get(key)
    if (found !== undefined && largest < found.largest) {
      // Small rows say nothing about the large ones that were read before, and that a client may read again.
      if (found.largest > ASSUMED) return
      if (isTrusted(found)) largest = found.largest
    }
    if (found === undefined && known.size >= MOST_KNOWN)
      for (const [other, { largest: size }] of known) if (size <= ASSUMED) known.delete(other)
    if (found !== undefined || known.size < MOST_KNOWN) known.set(key, { largest, at: performance.now() })
  }

  const isUnsure: Sizing['isUnsure'] = (records, fields) =>
    openIn(fields).length > 0 && records * largestOf(fields) > SMALL

  return {
    isUnsure,
    isUnknown: (records, fields) =>
      isUnsure(records, fields) ||
      (seen < MANY && records > FEW_PARSED && openIn(fields).some(({ name }) => decoded.has(name))),
    atMost: () => {
      const { largest = 0 } = known.get(keyOf(undefined)) ?? {}
      return largest <= ASSUMED ? 0 : largest * (decoded.size > 0 ? JSON_FACTOR : 1)
    },
    atOnce: (fields) => Math.max(1, Math.floor(SMALL / largestOf(fields))),
    admitting: (admits, fields) => (sizes, json) => {
      note(sizes, fields)
      if (admits === undefined) return true
      const width = fields?.length ?? model.fields.length
      const text = totalBytes(sizes)
      const isParsed = fields?.some((name) => decoded.has(name)) ?? decoded.size > 0
      const parsed = json ?? (isParsed ? text : 0)
      return admits(sizes, text + (JSON_FACTOR - 1) * parsed + sizes.length * width * VALUE)
    },
  }
})

/** The bytes of rows together. @param sizes those of each, as `Admits` has them */
export const totalBytes = (sizes: readonly number[]): number => {
  let bytes = 0
  for (const size of sizes) bytes += size
  return bytes
}

/** The fields whose values an aggregation returns as they are. */
export const shownFields = ({
  groups,
  aggregates,
}: Pick<Aggregation, 'groups' | 'aggregates'>): readonly string[] => [
  ...groups.flatMap(({ field, part }) => (part === undefined ? [field] : [])),
  ...aggregates.flatMap(({ fn, field }) =>
    field !== undefined && (fn === 'min' || fn === 'max') ? [field] : [],
  ),
]

/**
 * The characters and bytes in the values of a row, approximately: what their JSON would take, without numbers of their own. A
 * string counts its UTF-16 units, which are never more than its bytes. Never throws, because types of the application may
 * parse values into anything: bigints, or objects that refer to themselves.
 */
export const sizeOf = (row: object): number => {
  let size = 0
  let parsed: unknown[] | undefined
  const values: readonly unknown[] = Array.isArray(row) ? row : Object.values(row)
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]
    if (typeof value === 'string') size += value.length
    else if (typeof value === 'object' && value !== null) {
      parsed ??= []
      parsed.push(value)
    }
  }
  return parsed === undefined ? size : size + sizeOfParts(parsed)
}

/** @param open values and, as they are found, their parts */
const sizeOfParts = (open: unknown[]): number => {
  const passed = new Set<object>()
  let size = 0
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') size += value.length
    else if (value instanceof Uint8Array || value instanceof ArrayBuffer) size += value.byteLength
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      if (passed.has(value)) continue
      passed.add(value)
      const parts = Object.values(value)
      size += PART * parts.length
      for (const part of parts) open.push(part)
      if (!Array.isArray(value)) for (const name in value) size += name.length
    }
  }
  return size
}

/** What a part of JSON takes besides its name and text, approximately: quotes, a comma, or the digits of a number. */
const PART = 3
