/** What undoes the transaction of a connection. */
export interface Undoing {
  /** Waits for the answer to a `rollback` that somebody sends, but not for ever. */
  inTime<T>(answer: Promise<T>): Promise<T>
  /** Whether it is sure that the connection is in no transaction any more. */
  isUndone(rollback: () => Promise<unknown>): Promise<boolean>
}

/** Milliseconds. It is more than a server that answers at all needs for it. */
const LONGEST = 5000

/**
 * A server that is gone without a word never answers a `rollback`, nor does one whose connection has a statement in front
 * of it that never ends. So whoever waits is told, and nothing more is sent over that connection.
 */
export const undoingOf = (longest: number = LONGEST): Undoing => {
  let isSilent = false
  const inTime: Undoing['inTime'] = async (answer) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isSilent = true
        reject(new Error(`MySQL did not answer a rollback within ${longest} ms.`))
      }, longest)
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    inTime,
    isUndone: async (rollback) => {
      if (isSilent) return false
      try {
        await inTime(rollback())
        return true
      } catch {
        return false
      }
    },
  }
}
