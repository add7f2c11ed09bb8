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
  const sought = plain(wrong)
  let [closest, distance] = ['', Math.floor(Math.max(2, wrong.length / 3)) + 1]
  for (const name of names) {
    const own = leven(plain(name), sought, { maxDistance: distance })
    if (own < distance) [closest, distance] = [name, own]
  }
  return `${closest === '' ? '' : ` Did you mean ${closest}?`} Allowed: ${names.join(', ') || 'none'}.`
}
