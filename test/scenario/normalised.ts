import type { Answer } from './transcript.ts'

/** Heads that differ from run to run, or say nothing of the service. */
const leftOut: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'date', 'keep-alive', 'server', 'transfer-encoding'],
  // Both hold the time, and the random name of a file.
  ...['etag', 'last-modified'],
])

/** The fields whose values are generated: tokens by chance, times by the clock, file names by chance. */
const generated: Readonly<Record<string, (value: string) => string>> = {
  access: () => '<token>',
  refresh: () => '<token>',
  created_at: (value) => (isNow(value) ? '<now>' : value),
  next: () => '<cursor>',
  shipped_at: (value) => (isNow(value) ? '<now>' : value),
  image: (value) =>
    value.replace(/[a-z2-7]{26}(\.\w+)(\?.*)?$/, (_all, ending: string) => `<name>${ending}<signature>`),
}

const isNow = (value: string): boolean => Math.abs(Date.now() - Date.parse(value)) < 600_000

/** The fields that hold the key of a record. Keys of records that the run makes come from the database, or by chance. */
const keyFields: Readonly<Record<string, string>> = {
  product_id: 'products',
  category_id: 'categories',
  parent_id: 'categories',
  order_id: 'orders',
  customer_id: 'customers',
}

/** Takes out of answers what is generated, and nothing else. */
export const normalised = () => {
  /** `products/2001` -> `products/<1>` */
  const made = new Map<string, string>()

  const keyOf = (path: string, value: unknown): unknown => made.get(`${path}/${value}`) ?? value

  const inText = (text: string): string => {
    let result = text
    for (const [path, label] of made) result = result.replaceAll(new RegExp(`${path}(?![\\w-])`, 'g'), label)
    return result.replaceAll(/[a-z2-7]{26}\.png/g, '<name>.png')
  }

  const inValue = (value: unknown, path: string, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => inValue(item, path, name))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          inValue(inner, key === 'user' ? 'users' : path, key),
        ]),
      )
    const keysOf = name === 'id' ? path : keyFields[name]
    if (keysOf !== undefined) return keyOf(keysOf, value)
    if (typeof value !== 'string') return value
    return inText(generated[name]?.(value) ?? value)
  }

  return {
    /**
     * What is made here is known by its number from now on, and so is a user at the first login: a cluster may use up a key
     * for an insert that it does again.
     */
    learn(method: string, path: string, { status, json }: Answer): void {
      const user = json['user'] as { readonly id?: unknown } | undefined
      const isLogin = status === 200 && user !== undefined && !made.has(`users/${user.id}`)
      if (method !== 'POST' || !(status === 201 || isLogin)) return
      const id = user === undefined ? json['id'] : user.id
      if (id === undefined) return
      const name = user === undefined ? resourceOf(path) : 'users'
      // An item has no key of its own.
      if (name === 'order-items') return
      const label = `<${made.size + 1}>`
      made.set(`${name}/${id}`, `${name}/${label}`)
      if (name === 'orders') {
        made.set(`order-items/${id}`, `order-items/${label}`)
        made.set(`order_id=${id}`, `order_id=${label}`)
      }
    },
    line(method: string, path: string, { status, headers, text, json }: Answer): string {
      const heads = [...headers]
        .filter(([name]) => !leftOut.has(name))
        .map(([name, value]) => `${name}: ${inText(generatedIn[name]?.(value) ?? value)}`)
      const asked = inText(
        path
          .replace(/^http:..[^/]+/, '')
          .replace(/\?expires=.*/, '')
          .replace(/cursor=.{20,}/, 'cursor=<cursor>'),
      )
      const isJson = Object.keys(json).length > 0
      const body = isJson
        ? JSON.stringify(inValue(json, resourceOf(path)))
        : `${text.length} ${text.slice(0, 40)}`
      return [`${method} ${asked} ${status}`, ...heads, body].join('\n')
    },
  }
}

/** `products` of `products/1?fields=id`. What is below `auth` is about users. */
const resourceOf = (path: string): string =>
  path.startsWith('auth/') ? 'users' : (/([a-z-]+)\/[^/?]*\/?(?:\?|$)/.exec(path)?.[1] ?? '')

/** Heads of which a part is generated: a cookie's token and time, and how long a signed URL holds. */
const generatedIn: Readonly<Record<string, (value: string) => string>> = {
  'set-cookie': (value) => value.replace(/=[^;]{20,}/, '=<token>').replace(/Expires=[^;]+/, 'Expires=<time>'),
  'cache-control': (value) => value.replace(/max-age=\d{4}/, 'max-age=<time>'),
}
