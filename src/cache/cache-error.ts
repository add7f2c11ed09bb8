/** The cache could not be reached, or refused. What it said is the cause, for the log alone. */
export class CacheError extends Error {
  override readonly name: string = 'CacheError'
}

/** The cache is there, but has no room. */
export class CacheFull extends CacheError {}
