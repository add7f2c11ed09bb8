import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchApp, lazyApp, ModelRest } from '../../../src/entry/fetch.ts'
import { StartError } from '../../../src/error/errors.ts'
import { memorySource } from '../../../src/testing/memory-source.ts'
import { naming } from '../../naming.ts'

const models = memorySource([
  {
    name: 'Task',
    fields: [
      { name: 'id', kind: 'integer', hasDefault: true },
      { name: 'title', kind: 'text', maxLength: 20 },
    ],
    primaryKey: ['id'],
  },
])

const start = vi.fn(async () => {
  const app = fetchApp({ base: '/api' })
  const rest = new ModelRest(app, { models, controllers: [] })
  await rest.init()
  return { fetch: app.fetch, rest }
})

const tasks = (): Request => new Request('http://x/api/tasks/')

const log = vi.spyOn(process.stderr, 'write')
beforeEach(() => {
  log.mockReset().mockReturnValue(true)
  start.mockClear()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('lazyApp', () => {
  it('starts once, with the first request', async () => {
    const { fetch, started } = lazyApp(start)
    expect(start).not.toHaveBeenCalled()
    const answers = await Promise.all([fetch(tasks()), fetch(tasks()), started()])
    expect([answers[0].status, answers[1].status, start.mock.calls.length]).toEqual([200, 200, 1])
    expect(await answers[2].rest.authenticate(tasks())).toBe(null)
  })

  it('answers with 503 if the start fails, and tries again after a second', async () => {
    start.mockRejectedValueOnce(new Error('no secret')).mockRejectedValueOnce(new Error('no secret'))
    const { fetch, started } = lazyApp(start)
    const refused = await fetch(tasks())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const body = await refused.text()
    expect(body).toContain('"code":"unavailable"')
    expect(body).not.toContain('secret')
    expect(String(log.mock.calls[0]?.[0])).toMatch(naming('no secret', 'GET /api/tasks/'))
    await Promise.all(Array.from({ length: 20 }, () => fetch(tasks())))
    await expect(started()).rejects.toThrow('no secret')
    expect([start.mock.calls.length, log.mock.calls.length]).toEqual([1, 1])
    vi.advanceTimersByTime(1000)
    expect([(await fetch(tasks())).status, start.mock.calls.length]).toEqual([503, 2])
    vi.advanceTimersByTime(1000)
    expect([(await fetch(tasks())).status, start.mock.calls.length]).toEqual([200, 3])
  })

  it('needs a function', () => {
    expect(() => lazyApp(fetchApp() as never)).toThrow(StartError)
    expect(() => lazyApp(fetchApp() as never)).toThrow(naming('lazyApp', 'start', 'return app'))
  })
})
