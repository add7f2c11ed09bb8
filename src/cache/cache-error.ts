/** The cache could not be reached, or refused. What it said is the cause, for the log alone. */
export class CacheError extends Error {
  override readonly name: string = 'CacheError'
}
