import type { Field, FieldKind } from '../model/model.ts'
import type { DatePart } from './ast.ts'

/** How the values of a kind are aggregated. All kinds have `count`, and all ordered ones `min` and `max`. */
export interface AggregatedKind {
  /** The kinds of sums and averages. Absent: there are none. */
  readonly sum?: 'bigint' | 'decimal' | 'float'
  readonly avg?: 'decimal' | 'float'
  /** The parts by which records can be grouped. @default none */
  readonly parts?: readonly DatePart[]
  /** Its parts depend on the time zone. */
  readonly isInstant?: true
}

const ofDays: readonly DatePart[] = ['year', 'quarter', 'month', 'week', 'day']

/** All parts, from the longest. */
export const dateParts: readonly DatePart[] = Object.freeze([...ofDays, 'hour'] as const)

const aggregatedKinds: Readonly<Partial<Record<FieldKind, AggregatedKind>>> = {
  integer: { sum: 'bigint', avg: 'decimal' },
  bigint: { sum: 'bigint', avg: 'decimal' },
  decimal: { sum: 'decimal', avg: 'decimal' },
  float: { sum: 'float', avg: 'float' },
  date: { parts: ofDays },
  datetime: { parts: dateParts, isInstant: true },
  localdatetime: { parts: dateParts },
}

/** Digits of an average of integers or decimals after those of the field. */
export const AVERAGE_DIGITS = 4

export const aggregatedKind = ({ kind }: Pick<Field, 'kind'>): AggregatedKind => aggregatedKinds[kind] ?? {}
