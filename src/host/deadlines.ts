/** Waits for something that may be late. */
export interface Waiter {
  readonly late: () => void
  readonly until: number
}

export interface Deadlines {
  /** Calls `late` once the time is over, unless the waiter leaves before. */
  enter(late: () => void): Waiter
  leave(waiter: Waiter): void
}

/** One timer for all that wait equally long, because a timer for each would cost more than reading a short body. */
export const deadlinesAfter = (milliseconds: number): Deadlines => {
  const waiters = new Set<Waiter>()
  let isArmed = false
  const arm = (wait: number): void => {
    isArmed = true
    const timer = setTimeout(check, wait)
    // Whatever a body waits for keeps the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
  const check = (): void => {
    isArmed = false
    const now = performance.now()
    for (const waiter of waiters) {
      // They are in the order of their arrival.
      if (waiter.until > now) {
        arm(waiter.until - now)
        return
      }
      waiters.delete(waiter)
      waiter.late()
    }
  }
  return {
    enter: (late) => {
      const waiter = { late, until: performance.now() + milliseconds }
      waiters.add(waiter)
      if (!isArmed) arm(milliseconds)
      return waiter
    },
    leave: (waiter) => void waiters.delete(waiter),
  }
}
