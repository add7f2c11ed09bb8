import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** The part of all cores that others may use while the page is measured. */
const MOST = 0.1

const spent = (): { readonly idle: number; readonly all: number } => {
  const times = cpus().map((core) => core.times)
  const sum = (parts: readonly number[]): number => parts.reduce((one, other) => one + other, 0)
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((each) => Object.values(each))),
  }
}

/** The part of all cores that is used, from 0 to 1. */
export const usedPart = async (milliseconds = 2000): Promise<number> => {
  const before = spent()
  await pause(milliseconds)
  const after = spent()
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all)
}

const percent = (part: number): string => `${Math.round(part * 100)} %`

/** What the machine does besides. */
export const told = (used: number): string =>
  `Others use ${percent(used)} of ${cpus().length} cores (load average ${loadavg()[0]?.toFixed(2)}).`

/** @throws Error if others use more than a page of figures can bear */
export const assertQuiet = (used: number): void => {
  if (used > MOST)
    throw new Error(
      `The page is not measured while others use more than ${percent(MOST)} of the cores: they use ${percent(used)}. End them, or measure a part: --only get.`,
    )
}
