/** The target of a request, still percent-encoded. */
export interface RequestTarget {
  readonly path: string
  readonly query: string
}

/** Splits an absolute or relative URL without decoding or normalizing it. Some servers also start the query at `;`. */
export const readTarget = (url: string, semicolon = false): RequestTarget => {
  const from = startOfPath(url)
  const hash = url.indexOf('#', from)
  const end = hash === -1 ? url.length : hash
  const mark = firstOf(url.indexOf('?', from), semicolon ? url.indexOf(';', from) : -1)
  if (mark === -1 || mark >= end) return { path: url.slice(from, end) || '/', query: '' }
  return { path: url.slice(from, mark) || '/', query: url.slice(mark + 1, end) }
}

const startOfPath = (url: string): number => {
  if (url.startsWith('/')) return 0
  const authority = url.indexOf('://')
  if (authority === -1) return 0
  const end = url.slice(authority + 3).search(/[/?#]/)
  return end === -1 ? url.length : authority + 3 + end
}

const firstOf = (a: number, b: number): number => {
  if (a === -1 || b === -1) return Math.max(a, b)
  return Math.min(a, b)
}

export type Params = Readonly<Record<string, string>>

export type ParamReader = (path: string) => Params | undefined

const none: Params = Object.freeze({})

/**
 * Creates a function that reads the parameters of a path that matches a template. It returns `undefined` if a parameter is
 * empty. It counts segments from the end, so it does not depend on where the application is mounted.
 */
export const paramReader = (template: string): ParamReader => {
  const names = segmentsOf(template).map(parameterName).reverse()
  const furthest = names.findLastIndex((name) => name !== undefined)
  if (furthest === -1) return () => none
  const wanted = names.slice(0, furthest + 1)
  return (path) => {
    const params: Record<string, string> = {}
    let end = endOf(path)
    for (const name of wanted) {
      const slash = path.lastIndexOf('/', end - 1)
      if (name !== undefined) {
        if (slash + 1 >= end) return undefined
        params[name] = path.slice(slash + 1, end)
      }
      end = slash
    }
    return params
  }
}

/** The segments of a path, ignoring one trailing slash. */
export const segmentsOf = (path: string): readonly string[] => path.slice(1, endOf(path)).split('/')

/** The name of a parameter segment: `{id}` -> `id`. */
export const parameterName = (segment: string): string | undefined => /^\{(.+)\}$/.exec(segment)?.[1]

/** Decodes a path for comparison with fixed segments. Slashes stay encoded, and so does an invalid encoding. */
export const decodePath = (path: string): string => {
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const endOf = (path: string): number =>
  path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
