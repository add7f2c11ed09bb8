/** Where a request goes, still percent-encoded. */
export interface Target {
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

/**
 * Splits a URL, absolute or not, without decoding or normalising anything.
 *
 * @param semicolon Takes `;` for the start of the query as well, as some servers do.
 */
export const readTarget = (url: string, semicolon = false): Target => {
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
  const slash = url.indexOf('/', authority + 3)
  return slash === -1 ? url.length : slash
}

const firstOf = (a: number, b: number): number => {
  if (a === -1 || b === -1) return Math.max(a, b)
  return Math.min(a, b)
}

/** The parameters of a path by name. */
export type Params = Readonly<Record<string, string>>

/** Reads the parameters of a path that is known to match; `undefined` where one of them is empty. */
export type ParamReader = (path: string) => Params | undefined

const none: Params = Object.freeze({})

/**
 * Makes the reader for a template, as `/products/{id}`.
 *
 * It counts segments from the end, so that it need not know where the application is mounted. One slash at the end
 * of the path does not count.
 */
export const paramReader = (template: string): ParamReader => {
  const names = segmentsOf(template).map(nameOf).reverse()
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

/** The segments of a path; one slash at its end does not count. */
export const segmentsOf = (path: string): readonly string[] => path.slice(1, endOf(path)).split('/')

/** The name of a segment that is a parameter: `{id}` -> `id`. */
export const nameOf = (segment: string): string | undefined => /^\{(.+)\}$/.exec(segment)?.[1]

/** Decodes what a router compares with fixed segments. Slashes stay encoded, and so does what cannot be decoded. */
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
