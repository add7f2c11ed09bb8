import type { Admits } from './source.ts'

/** The sizes of the rows that a call has read, which are admitted together. */
export interface Tally {
  /** Whether a statement may read these, some of which are beyond the limits of their lists. */
  fits(sizes: readonly number[]): boolean
  /** Those of such a statement that are within the limits. */
  keep(sizes: readonly number[]): void
  /** For a statement whose rows are all within the limits. */
  exactly(): Admits
  isRefused(): boolean
}

export const tallyOf = (admits: Admits = () => true, most: number = Number.POSITIVE_INFINITY): Tally => {
  let kept: readonly number[] = []
  let isRefused = false
  const keep = (before: readonly number[], sizes: readonly number[]): boolean => {
    kept = [...before, ...sizes]
    isRefused = !admits(kept)
    return !isRefused
  }
  return {
    fits: (sizes) => kept.length + sizes.length <= most && admits([...kept, ...sizes]),
    keep: (sizes) => void keep(kept, sizes),
    exactly: () => {
      const before = kept
      return (sizes) => keep(before, sizes)
    },
    isRefused: () => isRefused,
  }
}
