import { sharing } from '../sharing.ts'
import type { Awaitable } from '../source.ts'
import type { Database } from './database.ts'
import type { Asked } from './statements.ts'

type Ask<T> = (asked: Asked) => Awaitable<T | undefined>

/**
 * Statements of one kind that change nothing: those who ask the same at the same time share one. A synchronous driver has
 * answered before anybody else can ask.
 */
export const sharedIn = <T>({ synchronous }: Database, ask: Ask<T>): Ask<T> => {
  if (synchronous) return ask
  const share = sharing<T | undefined>()
  return (asked) => {
    const key = keyOf(asked)
    return key === undefined ? ask(asked) : share(key, () => ask(asked))
  }
}

/** The structure of a statement with its values. `undefined`: a value has no text that tells it from all others. */
const keyOf = ({ key, values }: Asked): string | undefined => {
  let text = key
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return undefined
    const shown = String(value)
    text += `;${typeof value}${shown.length}:${shown}`
  }
  return text
}
