import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export type Kind =
  | ('list with count' | 'list without count' | 'list with includes' | 'get' | 'create' | 'update')
  | ('create with TypeORM' | 'update with TypeORM')

/** What one request costs above a bare route of Fastify: numbers that do not depend on what else a machine does. */
export interface Cost {
  /** That the database is asked. */
  readonly statements: number
  /** Calls of functions, and branches and turns of loops in them, in this package and its dependencies. */
  readonly steps: number
  /** Allocated on the heap of JavaScript. */
  readonly bytes: number
}

export type Costs = Readonly<Record<Kind, Cost>>

/** The stored figures. `node scripts/costs.ts` writes them. */
export const figures: URL = new URL('figures.json', import.meta.url)

/**
 * How far a number may be from its stored figure, in either direction: a figure that is too high would hide a slowdown.
 * Runs differ by less than 0.01; the rest is for new versions of dependencies.
 */
const tolerance: Readonly<Record<keyof Cost, number>> = { statements: 0, steps: 0.03, bytes: 0.03 }

// A compiler that optimises when it finds the time would inline calls and spare allocations, in one run more than in another.
const flags = [
  '--expose-gc',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--single-threaded',
  '--no-flush-bytecode',
  '--hash-seed=1',
  '--random-seed=1',
  // Room for a whole measurement without a collection.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
] as const

/** Measures in a process of its own. @param plant a name in `plants.ts` */
export const measureCosts = async (...plant: readonly string[]): Promise<Costs> => {
  const script = fileURLToPath(new URL('measure.ts', import.meta.url))
  // Only this: the environment of a test run is not that of the script that writes the figures.
  const env = { NODE_ENV: 'production' }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, ...plant], { env })
  return JSON.parse(stdout) as Costs
}

/** The figures that are farther from the stored ones than they may be: `get: 6000 bytes, stored 5000`. */
export const deviations = (measured: Costs, stored: Costs): readonly string[] =>
  (Object.keys(stored) as Kind[]).flatMap((kind) =>
    (Object.keys(tolerance) as (keyof Cost)[]).flatMap((unit) => {
      const [is, was] = [measured[kind][unit], stored[kind][unit]]
      return Math.abs(is - was) <= was * tolerance[unit] ? [] : [`${kind}: ${is} ${unit}, stored ${was}`]
    }),
  )
