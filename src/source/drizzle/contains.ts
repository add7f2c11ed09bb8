import { type SQL, type SQLChunk, sql } from 'drizzle-orm'

/** How a text is asked for anywhere in a column, without regard to case. */
export interface Containing {
  /** Ways differ in their SQL, by this name. */
  readonly way: string
  /** What goes into the slot. */
  readonly parameter: string
  /** @param slot where the parameter stands; asked for once */
  sql(name: SQLChunk, slot: SQLChunk): SQL
}

type Contains = (value: string) => Containing

/** For `like` and `ilike`: any text around the value, in which `%`, `_` and the backslash are literal. */
const likePattern = (value: string): string => `%${value.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * Not `like`, which compares letter by letter, again at each character of the text: an `a` 100,000 times, asked for 50 times
 * for 31 of them and a `z`, would hold a process for seconds. The text is lowered once, and memory is compared as a whole.
 * For a text of no such kind that costs twice to three times as much.
 */
export const sqliteContains: Contains = (value) => ({
  way: 'any',
  parameter: value,
  sql: (name, slot) => sql`instr(lower(${name}), lower(${slot})) > 0`,
})

const oneSigma = (text: SQLChunk): SQL => sql`translate(lower(${text}), 'ς', 'σ')`
const lowered = (text: SQLChunk): SQL => sql`lower(${text})`

/** The value is folded beforehand, once for all rows, where `ilike` folds it again for each. */
const folded =
  (fold: (text: SQLChunk) => SQL): Containing['sql'] =>
  (name, slot) =>
    sql`strpos(${fold(name)}, (select ${fold(slot)})) > 0`

const pgWays = {
  // An index on the trigrams of the column serves it.
  short: (name, slot) => sql`${name} ilike ${slot}`,
  long: folded(lowered),
  // What a sigma folds to is decided by the letters behind it, so that a text need not hold what it begins with.
  sigma: folded(oneSigma),
} satisfies Record<string, Containing['sql']>

/** From here on, folding the value for each row costs more than all else. */
const LONG = 100

const wayOf = (value: string): keyof typeof pgWays => {
  if (/[Σσς]/.test(value)) return 'sigma'
  return value.length > LONG ? 'long' : 'short'
}

export const pgContains: Contains = (value) => {
  const way = wayOf(value)
  return { way, parameter: way === 'short' ? likePattern(value) : value, sql: pgWays[way] }
}

const mysqlLowered = (text: SQLChunk): SQL =>
  sql`lower(convert(${text} using utf8mb4) collate utf8mb4_unicode_520_ci)`
const mysqlOneSigma = (text: SQLChunk): SQL => sql`replace(${mysqlLowered(text)}, 'ς', 'σ')`

/** As bytes: the columns' own collations take an accent for none. */
const searched =
  (fold: (text: SQLChunk) => SQL): Containing['sql'] =>
  (name, slot) =>
    sql`instr(cast(${fold(name)} as binary), cast(${fold(slot)} as binary)) > 0`

const mysqlWays = { short: searched(mysqlLowered), sigma: searched(mysqlOneSigma) } as const

export const mysqlContains: Contains = (value) => {
  const way = /[Σσς]/.test(value) ? 'sigma' : 'short'
  return { way, parameter: value, sql: mysqlWays[way] }
}
