import { expect, test } from 'vitest'
import { sqliteWorld } from '../http/files/writing-stage.ts'
import { type Entry, onFastify } from '../stage/apps.ts'
import { senderTo } from '../stage/requests.ts'
import { memoryStorage } from '../upload/memory-storage.ts'

const RECORDS = 40

const letters = (at: number): string => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')

const keyOf = (at: number): string => `documents/content/aa/aa${letters(at).padStart(24, 'a')}.pdf`

test.each([
  ['deletes their files a few at a time', false],
  ['logs ten files that stay, and how many more', true],
])('a request that deletes many records %s', async (_what, fails) => {
  const world = await sqliteWorld()
  const errors: string[] = []
  const onEntry = ({ level, line }: Entry): void => void (level === 'error' && errors.push(line))
  const deleted: string[] = []
  const [running, most] = [{ now: 0 }, { atOnce: 0 }]
  const storage = {
    ...memoryStorage(),
    delete: async (key: string) => {
      running.now += 1
      most.atOnce = Math.max(most.atOnce, running.now)
      await new Promise((resolve) => setImmediate(resolve))
      running.now -= 1
      deleted.push(key)
      if (fails) throw new Error('The storage is away.')
    },
  }
  const app = await onFastify(
    { models: world.models, storage, modelConfig: { Document: { bulk: true } } } as never,
    { base: '', onEntry },
  )
  for (let at = 0; at < RECORDS; at++) await world.insert(`t${at}`, 1, keyOf(at))
  const reply = await senderTo(app)('DELETE', '/documents/?q=id>0')
  expect(reply.json).toEqual({ count: RECORDS, dry_run: false })
  await expect.poll(() => deleted.length).toBe(RECORDS)
  expect(most.atOnce).toBeLessThanOrEqual(8)
  await app.stop()
  expect(errors).toHaveLength(fails ? 11 : 0)
  await world.close()
})
