import type { RawRow } from '../database.ts'

/** What a write without rows says. */
export interface Outcome {
  readonly changed: number
  /** What the last key was counted up to, as the driver has it. */
  readonly counted: unknown
}

/** Reads it of the row that stands for it. */
export const outcome = ([row]: readonly RawRow[]): Outcome => ({
  changed: Number(row?.[0]),
  counted: row?.[1],
})
