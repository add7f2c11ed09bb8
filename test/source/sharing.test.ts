import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { gathering, sharing } from '../../src/source/sharing.ts'

/** A run that ends when it is told to. */
interface Run {
  readonly key: string
  /** When it began, in commands. */
  readonly began: number
  readonly resolve: (run: Run) => void
  readonly reject: (error: Error) => void
  ended: boolean
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** What the runs of a sharing do, under control. */
const stage = () => {
  const share = sharing<Run>()
  const runs: Run[] = []
  let now = 0
  const begin = (key: string) => () => {
    const began = now
    return new Promise<Run>((resolve, reject) => {
      runs.push({ key, began, resolve, reject, ended: false })
    })
  }
  return {
    runs,
    tick: () => ++now,
    ask: (key: string) => share(key, begin(key)),
    underWay: (key: string) => runs.filter((run) => run.key === key && !run.ended),
    end: (run: Run, error?: Error) => {
      run.ended = true
      if (error === undefined) run.resolve(run)
      else run.reject(error)
    },
  }
}

const command = fc.record({
  act: fc.constantFrom('ask', 'ask', 'ask', 'end', 'fail'),
  key: fc.constantFrom('a', 'b'),
  /** Whether what follows from it has happened before the next command. */
  settles: fc.boolean(),
})

describe('shared runs', () => {
  it('never began before they were asked for, and are one at a time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
        const { runs, tick, ask, underWay, end } = stage()
        const answers: Promise<unknown>[] = []
        const failures = new Map<Error, Run>()
        const asks = { a: 0, b: 0 }
        const endOne = (key: string, fails: boolean) => {
          const [run] = underWay(key)
          if (run === undefined) return
          const error = fails ? new Error(key) : undefined
          if (error !== undefined) failures.set(error, run)
          end(run, error)
        }
        for (const { act, key, settles } of commands) {
          const at = tick()
          if (act === 'ask') {
            asks[key] += 1
            const mine = ask(key).catch((error: Error) => failures.get(error))
            answers.push(mine.then((run) => expect(run).toMatchObject({ key, began: expect.any(Number) })))
            answers.push(mine.then((run) => expect(run?.began).toBeGreaterThanOrEqual(at)))
          } else endOne(key, act === 'fail')
          if (settles) await settled()
          expect([underWay('a').length, underWay('b').length].every((count) => count <= 1)).toBe(true)
        }
        for (let round = 0; round < 3; round += 1) {
          tick()
          for (const key of ['a', 'b']) endOne(key, false)
          await settled()
        }
        expect(runs.every((run) => run.ended)).toBe(true)
        await Promise.all(answers)
        for (const key of ['a', 'b'] as const) {
          const ran = runs.filter((run) => run.key === key).length
          expect(ran).toBeLessThanOrEqual(asks[key])
          // Nothing is left over: whoever asks now need not wait for anybody.
          ask(key).catch(() => undefined)
          expect(underWay(key)).toHaveLength(1)
        }
      }),
    ))

  it('are two, however many ask while the first is under way', async () => {
    const { runs, ask, end } = stage()
    const asked = Array.from({ length: 100 }, () => ask('a'))
    expect(runs).toHaveLength(1)
    end(runs[0] as Run)
    await settled()
    expect(runs).toHaveLength(2)
    end(runs[1] as Run)
    const got = await Promise.all(asked)
    expect(got[0]).toBe(runs[0])
    expect(new Set(got.slice(1))).toEqual(new Set([runs[1]]))
  })

  it('fail for all who share them, and for nobody else', async () => {
    const { runs, ask, end } = stage()
    const first = ask('a')
    const [second, third] = [ask('a'), ask('a')]
    const error = new Error('lost')
    end(runs[0] as Run, error)
    await expect(first).rejects.toBe(error)
    await settled()
    const fourth = ask('a')
    end(runs[1] as Run, error)
    await expect(second).rejects.toBe(error)
    await expect(third).rejects.toBe(error)
    await settled()
    end(runs[2] as Run)
    expect(await fourth).toBe(runs[2])
    expect(runs).toHaveLength(3)
  })

  it('that throw before they begin fail alike, and are tried afresh', async () => {
    const share = sharing<number>()
    const thrown = () => {
      throw new Error('at once')
    }
    const all = [share('a', thrown), share('a', thrown), share('a', () => 3)]
    expect(await Promise.allSettled(all)).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    expect(await share('a', () => 4)).toBe(4)
  })

  it('do not wait forever for one that never ends', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const share = sharing<number>()
    void share('a', () => new Promise<number>(() => undefined))
    const second = share('a', () => 2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await second).toBe(2)
    expect(await share('a', () => 3)).toBe(3)
  })

  it('do not set the pace by the time that a failure took', async () => {
    const durations: number[] = []
    const gather = gathering<number, number>({ atOnce: () => 1, ended: (time) => durations.push(time) })
    const failed = gather('a', 1, () => Promise.reject(new Error('refused')))
    await expect(failed).rejects.toThrow()
    expect(durations).toEqual([])
    expect(await gather('a', 1, async (items) => items)).toBe(1)
    expect(durations).toHaveLength(1)
  })
})
