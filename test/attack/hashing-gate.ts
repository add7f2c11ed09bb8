type Argon2 = typeof import('@node-rs/argon2')

/** Holds the work of hashing, so that a test decides when it goes on. */
export interface HashingGate {
  /** From now on, each hash waits until the gate is opened. */
  close(): void
  open(): void
  /** How many hashes have begun. */
  readonly begun: number
  /** The library behind the gate. */
  through(library: Argon2): Argon2
}

export const hashingGate = (): HashingGate => {
  let waiting: (() => void)[] | undefined
  const state = { begun: 0 }
  const pass = async (): Promise<void> => {
    state.begun += 1
    await new Promise<void>((resolve) => {
      if (waiting === undefined) resolve()
      else waiting.push(resolve)
    })
  }
  return {
    close: () => {
      waiting ??= []
    },
    open: () => {
      const held = waiting ?? []
      waiting = undefined
      for (const resolve of held) resolve()
    },
    get begun() {
      return state.begun
    },
    through: (library) => ({
      ...library,
      hash: async (...given) => {
        await pass()
        return library.hash(...given)
      },
      verify: async (...given) => {
        await pass()
        return library.verify(...given)
      },
    }),
  }
}
