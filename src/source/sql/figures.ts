import type { Column } from './table.ts'
import type { Sql } from './text.ts'

/** What a condition compares, and how values get there. */
export interface Compared extends Pick<Column, 'codec' | 'stored'> {
  readonly name: Sql
}

/** A number by which groups are sorted and compared. */
export interface Figure {
  readonly keys: readonly Sql[]
  readonly compared: () => Compared
}

/** How a database sums integers or decimals without losing a digit. */
export interface ExactSum {
  /** Selected for the sum. Null if there are no values. */
  readonly columns: readonly Sql[]
  readonly sum: Figure
  /** To four digits more than those of the sum, the last of which is rounded, half away from zero. */
  average(count: Sql): Figure
  /** The sum from the selected values, in units of the last of its digits. */
  read(values: readonly unknown[]): { readonly units: bigint; readonly digits: number }
}
