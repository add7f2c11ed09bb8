import leven from 'leven'

/** A mistake in options, settings or models, found before the first request. The message says what to write instead. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/**
 * Names what is allowed, the closest first: ` Did you mean isAsync? Allowed: auth, exclude, isAsync.`
 *
 * Case and underscores do not count, so that `is_async` finds `isAsync`.
 */
export const suggest = (wrong: string, allowed: Iterable<string>): string => {
  const names = [...allowed].sort()
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase()
  const distance = (name: string) => leven(plain(name), plain(wrong))
  const closest = names.reduce<string | undefined>(
    (best, name) => (best === undefined || distance(name) < distance(best) ? name : best),
    undefined,
  )
  const near = closest !== undefined && distance(closest) <= Math.max(2, wrong.length / 3)
  return `${near ? ` Did you mean ${closest}?` : ''} Allowed: ${names.join(', ') || 'none'}.`
}
