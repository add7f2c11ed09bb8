import { vi } from 'vitest'

/** An event loop whose clock moves only when a test spends time. `vi.unstubAllGlobals()` removes it. */
export interface PlantedLoop {
  readonly now: () => number
  /** The number of timers that have not fired. */
  readonly timers: () => number
  /** Works for so many milliseconds. No timer fires meanwhile. */
  readonly spend: (milliseconds: number) => void
  /** Delivers messages, which happens also within a turn. */
  readonly deliver: () => void
  /** Ends the turn: delivers messages, runs immediates, then the timers that are due. */
  readonly endTurn: () => void
  /** Waits without work, and fires timers on time. */
  readonly idle: (milliseconds: number) => void
}

export const plantedLoop = (): PlantedLoop => {
  let now = 1000
  let timers: { readonly at: number; readonly run: () => void }[] = []
  let immediates: (() => void)[] = []
  let messages: (() => void)[] = []
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('setTimeout', (run: () => void, milliseconds: number) => {
    timers.push({ at: now + milliseconds, run })
    return { unref: () => undefined }
  })
  vi.stubGlobal('setImmediate', (run: () => void) => {
    immediates.push(run)
  })

  vi.stubGlobal(
    'MessageChannel',
    class {
      port1 = { onmessage: () => undefined, close: () => undefined }
      port2 = { postMessage: () => void messages.push(() => this.port1.onmessage()) }
    },
  )

  const deliver = (): void => {
    const sent = messages
    messages = []
    for (const run of sent) run()
  }
  const endTurn = (): void => {
    deliver()
    const checked = immediates
    immediates = []
    for (const run of checked) run()
    const due = timers.filter(({ at }) => at <= now)
    timers = timers.filter(({ at }) => at > now)
    for (const { run } of due) run()
  }
  return {
    now: () => now,
    timers: () => timers.length,
    spend: (milliseconds) => {
      now += milliseconds
    },
    ...{ deliver, endTurn },
    idle: (milliseconds) => {
      const end = now + milliseconds
      for (;;) {
        const next = Math.min(end, ...timers.map(({ at }) => at))
        now = Math.max(now, next)
        endTurn()
        if (now >= end) return
      }
    },
  }
}
