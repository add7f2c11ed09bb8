import type { DatabaseName } from './databases.ts'
import type { Kind, Side } from './dialects.ts'
import type { Measured } from './measure.ts'

/** One kind of request to one side in one round. */
export interface Sample extends Measured {
  readonly database: DatabaseName
  readonly side: Side
  readonly kind: Kind
}

/** The memory of one server after its load, in one round. */
export interface AtRest {
  readonly database: DatabaseName
  readonly side: Side
  /** Bytes. */
  readonly rss: number
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Undefined for no values. */
export const spreadOf = (values: readonly number[]): Spread | undefined => {
  const sorted = values.toSorted((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)]
  const [min] = sorted
  const max = sorted.at(-1)
  return median === undefined || min === undefined || max === undefined ? undefined : { median, min, max }
}

/** What a run has found. */
export interface Results {
  readonly samples: readonly Sample[]
  readonly atRest: readonly AtRest[]
}

/** The values of one cell, over the rounds. */
export const cell = (
  { samples }: Results,
  what: Pick<Sample, 'database' | 'side' | 'kind'>,
  number: keyof Measured,
): Spread | undefined =>
  spreadOf(
    samples
      .filter(
        ({ database, side, kind }) => database === what.database && side === what.side && kind === what.kind,
      )
      .map((sample) => sample[number]),
  )

export const memory = ({ atRest }: Results, what: Pick<AtRest, 'database' | 'side'>): Spread | undefined =>
  spreadOf(
    atRest
      .filter(({ database, side }) => database === what.database && side === what.side)
      .map(({ rss }) => rss),
  )
