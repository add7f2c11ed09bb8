import { afterEach, describe, expect, it } from 'vitest'
import { everyAct } from '../http/scope/acts.ts'
import { everyPage, smallPages } from '../http/scope/pages.ts'
import { hookSets, inBoth, optionsFor, refillWorlds, worldStages } from '../http/scope/two-worlds.ts'
import type { Fault } from './faults.ts'

const planted: readonly Fault[] = JSON.parse(process.env['PLANTED_FAULTS'] ?? '[]')
const [, stage] = worldStages[0] ?? expect.unreachable()

/** What the tests of scope ask of the first driver, until something is wrong. */
const scenario = async (): Promise<void> => {
  const worlds = await stage.open()
  try {
    for (const set of ['no hooks', 'all of them']) {
      const options = optionsFor(set)
      const both = await inBoth(worlds, stage, hookSets[set] ?? expect.unreachable(), options)
      await everyAct(both, worlds)
      await both.stop()
    }
    await refillWorlds(worlds)
    for (const set of ['no hooks', 'hooks after'])
      for (const paginationType of ['cursor', 'limit-offset'] as const) {
        const both = await inBoth(worlds, stage, hookSets[set] ?? expect.unreachable(), { paginationType })
        await everyPage(both, paginationType)
        if (paginationType === 'cursor') await smallPages(both)
        await both.stop()
      }
  } finally {
    await worlds.close()
  }
}

/** Each fault is switched on by itself. The test of one passes if the scenario fails. */
describe('a fault is found', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'plantedFault')
  })

  it('where there is one', scenario)

  it.each(planted.map(({ name }) => name))('%s', async (name) => {
    Reflect.set(globalThis, 'plantedFault', name)
    await expect(scenario()).rejects.toThrow()
  })
})
