/** A command that was written in a way that it cannot mean anything. It ends with 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}
