import { after } from '../model/objects.ts'
import { totalBytes } from './sizing.ts'
import type { Admits, Awaitable } from './source.ts'

/** The rows that a call has read, which are admitted together. */
export interface RowTally {
  /** Whether a statement may read these, some of which are beyond the limits of their lists. */
  fits(sizes: readonly number[], memory?: number): Awaitable<boolean>
  /** Those of such a statement that are within the limits. */
  keep(sizes: readonly number[], memory?: number): Awaitable<boolean>
  /** For a statement whose rows are all within the limits. */
  exactly(): Admits
  isRefused(): boolean
}

interface Kept {
  readonly sizes: readonly number[]
  readonly memory: number
}

export const tallyOf = (admits: Admits = () => true, most: number = Number.POSITIVE_INFINITY): RowTally => {
  let kept: Kept = { sizes: [], memory: 0 }
  let isRefused = false
  const keep = (before: Kept, more: readonly number[], memory = totalBytes(more)): Awaitable<boolean> => {
    kept = { sizes: [...before.sizes, ...more], memory: before.memory + memory }
    return after(admits(kept.sizes, kept.memory), (isAdmitted) => {
      isRefused ||= !isAdmitted
      return isAdmitted
    })
  }
  return {
    fits: (sizes, memory = totalBytes(sizes)) =>
      kept.sizes.length + sizes.length <= most && admits([...kept.sizes, ...sizes], kept.memory + memory),
    keep: (sizes, memory) => keep(kept, sizes, memory),
    exactly: () => {
      const before = kept
      return (sizes, memory) => keep(before, sizes, memory)
    },
    isRefused: () => isRefused,
  }
}
