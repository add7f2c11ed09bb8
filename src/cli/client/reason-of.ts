import { getSystemErrorMessage } from 'node:util'

/** Why a file could not be read or written, and which: `permission denied: /shop/client/a.py`. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const errno: unknown = Reflect.get(error, 'errno')
  if (typeof errno !== 'number') return error.message
  const paths = [Reflect.get(error, 'path'), Reflect.get(error, 'dest')]
  const named = paths.filter((path): path is string => typeof path === 'string').join(' -> ')
  const reason = getSystemErrorMessage(errno)
  return named === '' ? reason : `${reason}: ${named}`
}
