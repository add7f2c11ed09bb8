/**
 * Random requests at every route of two applications, built around every limit, against a process with a heap of 256 MB.
 *
 * ATTACK_RUNS=20000 sends more of them to each application (a soak: a minute for every few thousand), ATTACK_SEED=7 others.
 * A failure prints its seed and its path, with which fast-check finds it again.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attacksOn } from './random-requests.ts'
import { allowance, MOST_START, startTarget, type Target, within } from './stage.ts'

const RUNS = Number(process.env['ATTACK_RUNS'] ?? 250)
const seed = Number(process.env['ATTACK_SEED'] ?? 20_260_101)

/** The most bytes of a refusal. */
const MOST_REFUSED = 64 * 1024

/** So much more may be in use after the requests: what caches keep, each within its own bound. */
const MOST_KEPT = 32 * 1024 * 1024

describe.each(['shop', 'workshop'] as const)('the %s', (application) => {
  let target: Target
  beforeAll(async () => {
    target = await startTarget(application)
  }, MOST_START)
  afterAll(() => target.stop())

  it(
    `is held up by no random request, seed ${seed}`,
    async () => {
      let before = 0
      let sent = 0
      const property = fc.asyncProperty(attacksOn(target), async ({ label, make }) => {
        const { measured, most } = await within(target, () => make(target.token()))
        const { status, bytes, body, cpu } = measured
        expect(target.ended(), label).toBeUndefined()
        expect(status, `${label}: ${body.slice(0, 1000)}`).toBeLessThan(500)
        if (status >= 400) expect(bytes, label).toBeLessThanOrEqual(MOST_REFUSED)
        expect(cpu, label).toBeLessThanOrEqual(most)
        if (status === 401) await target.renew()
        sent += 1
        // By then the code is compiled and caches are warm.
        if (sent === Math.floor(RUNS / 4)) before = await target.memory()
      })
      await fc.assert(property, { numRuns: RUNS, seed, endOnFailure: true })
      const { status } = await target.send({ method: 'GET', target: '/api/health/live' })
      expect(status).toBe(200)
      expect((await target.memory()) - before).toBeLessThan(MOST_KEPT)
    },
    allowance(RUNS),
  )
})
