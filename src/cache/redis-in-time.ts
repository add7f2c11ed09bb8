import { CacheError } from './cache-error.ts'
import type { RedisCommands } from './redis-clients.ts'

/** Runs a command, and settles in time whatever the connection does. */
export type InTime = <T>(command: () => PromiseLike<T>) => Promise<T>

/**
 * While a client has no connection, it would keep every command until it has one, perhaps hours later. So none is given
 * to it then: whoever waits too long is told so, and their command is never run.
 */
export const inTime = (commands: RedisCommands, timeout: number): InTime => {
  const waiting = new Set<() => void>()
  let listens = false

  const sendAll = (): void => {
    listens = false
    const all = [...waiting]
    waiting.clear()
    for (const send of all) send()
  }
  const whenBack = (send: () => void): void => {
    waiting.add(send)
    if (listens) return
    listens = true
    commands.onceBack(sendAll)
  }

  return (command) =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => {
        clearTimeout(timer)
        waiting.delete(send)
        reject(new CacheError('The cache could not be reached, or refused.', { cause }))
      }
      const timer = setTimeout(() => fail(new Error(`Redis gave no answer within ${timeout} ms.`)), timeout)
      const send = (): void => {
        // A client may throw at once, too.
        Promise.resolve()
          .then(command)
          .then((answer) => {
            clearTimeout(timer)
            resolve(answer)
          }, fail)
      }
      if (commands.isAway()) whenBack(send)
      else send()
    })
}
