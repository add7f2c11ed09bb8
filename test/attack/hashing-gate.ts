import { vi } from 'vitest'
import { argon2 } from '../../src/auth/passwords/passwords.ts'

/** Holds the work of hashing, so that a test decides when it goes on. */
export interface HashingGate {
  /** From now on, each hash waits until the gate is opened. */
  close(): void
  open(): void
  /** Opens it and takes it away. */
  remove(): void
  /** How many hashes have begun. */
  readonly begun: number
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
  const open = (): void => {
    const held = waiting ?? []
    waiting = undefined
    for (const resolve of held) resolve()
  }
  const { hash, verify } = argon2()
  const spies = [
    vi.spyOn(argon2(), 'hash').mockImplementation(async (...given) => {
      await pass()
      return hash(...given)
    }),
    vi.spyOn(argon2(), 'verify').mockImplementation(async (...given) => {
      await pass()
      return verify(...given)
    }),
  ]
  return {
    close: () => {
      waiting ??= []
    },
    open,
    remove: () => {
      open()
      for (const spy of spies) spy.mockRestore()
    },
    get begun() {
      return state.begun
    },
  }
}
