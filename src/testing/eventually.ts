import { setTimeout } from 'node:timers/promises'

/** In milliseconds. */
const INTERVAL = 25

/** Repeats assertions until they hold. After `seconds`, the last failure is thrown. */
export const eventually = async (seconds: number, assertions: () => Promise<void>): Promise<void> => {
  const end = performance.now() + seconds * 1000
  for (;;) {
    // Always once more after the end: a machine that stood still must not fail the test.
    const isLast = performance.now() >= end
    try {
      return await assertions()
    } catch (error) {
      if (isLast) throw error
    }
    await setTimeout(INTERVAL)
  }
}
