import type { Awaitable } from '../model/objects.ts'

/** Ends a transaction after a refused write. `look` queries the cause and throws it. */
export class RefusedInside extends Error {
  readonly look: () => Awaitable<never>

  constructor(look: () => Awaitable<never>, cause: unknown) {
    super('The database refused a write in a transaction.', { cause })
    this.look = look
  }
}
