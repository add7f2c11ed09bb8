import { parseSetCookie } from 'cookie'

interface Kept {
  readonly name: string
  readonly value: string
  /** Requests to this path and below it send the cookie. */
  readonly path: string
}

/** The cookies of a client, by name and path (RFC 6265, 5.3). Paths of requests may have a query. */
export const cookieJar = () => {
  const kept = new Map<string, Kept>()
  return {
    isEmpty: (): boolean => kept.size === 0,
    /** Keeps the cookies of a response, and deletes those that it lets expire. */
    keep: (received: Headers, requestPath: string): void => {
      for (const line of received.getSetCookie()) {
        const { name, value = '', path: given, maxAge, expires } = parseSetCookie(line)
        const path = given?.startsWith('/') ? given : folderOf(pathOf(requestPath))
        const key = JSON.stringify([name, path])
        const isOver = maxAge === undefined ? expires !== undefined && +expires <= Date.now() : maxAge <= 0
        if (isOver) kept.delete(key)
        else kept.set(key, { name, value, path })
      }
    },
    /** The header `cookie` of a request. The cookies of longer paths come first. */
    headerFor: (requestPath: string): string =>
      [...kept.values()]
        .filter(({ path }) => isBelow(pathOf(requestPath), path))
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

const pathOf = (requestPath: string): string => requestPath.split('?', 1)[0] ?? ''

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

const isBelow = (path: string, cookiePath: string): boolean =>
  path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)
