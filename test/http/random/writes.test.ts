import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { drafts } from './requests.ts'
import { Run } from './run.ts'
import { embedded, type Library, type Mode, modes, onServers } from './stage.ts'

/** RANDOM_WRITES=300 sends more sequences to each database: a soak. */
const RUNS = Number(process.env['RANDOM_WRITES'] ?? 12)
const sequences = fc.tuple(
  fc.constantFrom(...(Object.keys(modes) as readonly Mode[])),
  fc.array(drafts, { minLength: 6, maxLength: 14, size: 'max' }),
)

const randomly = (open: () => Promise<Library>): void => {
  let library: Library
  beforeAll(async () => {
    library = await open()
  })
  afterAll(() => library.stop())

  test('store and tell what plain code says', { timeout: 60_000 * Math.max(1, RUNS / 20) }, async () => {
    const property = fc.asyncProperty(sequences, async ([mode, all]) => {
      const run = await Run.begin(library, mode)
      for (const draft of all) await run.step(draft)
      expect(library.errors).toEqual([])
    })
    await fc.assert(property, { numRuns: RUNS })
  })
}

describe.each(Object.entries(embedded))('random writes on %s', (_name, open) => randomly(open))
onPostgres('random writes on PostgreSQL', () =>
  describe('random writes on PostgreSQL', () => randomly(onServers.postgres)),
)
onEachMysql('random writes', (kind) => randomly(onServers[kind]))
