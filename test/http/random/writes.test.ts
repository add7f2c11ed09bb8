import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach } from '../../needed-program.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { drafts } from './requests.ts'
import { Run } from './run.ts'
import { type Library, libraries, type Mode, withOrms } from './stage.ts'

/** RANDOM_WRITES=300 sends more sequences to each database: a soak. */
const RUNS = Number(process.env['RANDOM_WRITES'] ?? 10)
const sequences = fc.tuple(fc.nat(), fc.array(drafts, { minLength: 6, maxLength: 12, size: 'max' }))

const randomly = (open: () => Promise<Library>): void => {
  let library: Library
  beforeAll(async () => {
    library = await open()
  })
  afterAll(() => library.stop())

  test('store and tell what plain code says', { timeout: 20_000 * RUNS }, async () => {
    const property = fc.asyncProperty(sequences, async ([at, all]) => {
      const modes = Object.keys(library.send) as readonly Mode[]
      const mode = modes[at % modes.length] ?? 'hash'
      const run = await Run.begin(library, mode)
      for (const draft of all) await run.step(draft)
      expect(library.errors).toEqual([])
    })
    await fc.assert(property, { numRuns: RUNS })
  })
}

describeEach(libraries, 'random writes on %s', randomly)
onPostgres('random writes with ORMs on PostgreSQL', () =>
  describe.each(Object.entries(withOrms))('random writes with %s on PostgreSQL', (_name, open) =>
    randomly(open),
  ),
)
