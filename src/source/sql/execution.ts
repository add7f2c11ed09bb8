import { after } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'

/** Error handling for statements: synchronous with a synchronous driver, else with promises. */
export interface Execution {
  /** Calls `act`, and `recover` with the same arguments if it fails. */
  recovering<Args extends unknown[], T>(
    act: (...args: Args) => Awaitable<T>,
    recover: (error: unknown, ...args: Args) => Awaitable<T>,
  ): (...args: Args) => Awaitable<T>
  /** Calls `act`, then always `end`. `failure`: the error of `act`. */
  ending<T>(act: () => Awaitable<T>, end: (failure?: { readonly error: unknown }) => void): Awaitable<T>
}

const executionWith = (recovering: Execution['recovering']): Execution =>
  Object.freeze<Execution>({
    recovering,
    ending: <T>(act: () => Awaitable<T>, end: Parameters<Execution['ending']>[1]) =>
      recovering(
        () =>
          after(act(), (result): T => {
            end()
            return result
          }),
        (error) => {
          end({ error })
          throw error
        },
      )(),
  })

const syncExecution = executionWith((act, recover) => (...args) => {
  try {
    return act(...args)
  } catch (error) {
    return recover(error, ...args)
  }
})

export const asyncExecution: Execution = executionWith((act, recover) => (...args) => {
  try {
    return Promise.resolve(act(...args)).then(undefined, (error: unknown) => recover(error, ...args))
  } catch (error) {
    return Promise.resolve(error).then((thrown) => recover(thrown, ...args))
  }
})

export const executionOf = ({ synchronous }: { readonly synchronous: boolean }): Execution =>
  synchronous ? syncExecution : asyncExecution
