import type { HostRoute } from '../../operation/operation.ts'

/** The part of a layer of Express that modelrest reads. */
interface Layer {
  readonly name?: string
  readonly handle?: unknown
  /** The path at which a router is mounted. Older versions do not tell it. */
  readonly rawPath?: unknown
  readonly slash?: boolean
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> }
}

/** The layers of an application or a router, in the order in which requests pass them. */
export const stackOf = (app: object): readonly Layer[] => {
  const own: unknown = Reflect.get(app, 'stack')
  // In Express 4, `router` throws.
  const router: unknown = own ? app : Reflect.get(app, 'lazyrouter' in app ? '_router' : 'router')
  const stack: unknown = Reflect.get(Object(router), 'stack')
  return Array.isArray(stack) ? stack : []
}

/** The names of Express's body parsers, as the layers have them. */
const parsers: ReadonlyMap<string, string> = new Map([
  ['jsonParser', 'express.json()'],
  ['urlencodedParser', 'express.urlencoded()'],
  ['textParser', 'express.text()'],
  ['rawParser', 'express.raw()'],
  ['multerMiddleware', 'multer'],
])

/** The body parsers that requests pass before what is declared next. */
export const parsersIn = (app: object): readonly string[] =>
  stackOf(app).flatMap(({ name = '' }) => parsers.get(name) ?? [])

/** The routes of an application and of the routers in it, as far as their paths have a form that OpenAPI has, too. */
export const routesIn = (app: object, base: string): readonly HostRoute[] =>
  stackOf(app).flatMap((layer) => {
    const { route, handle } = layer
    if (route !== undefined)
      return templatesOf(route.path).flatMap((path) => routesAt(base + path, route.methods))
    const paths = layer.slash === true ? [''] : templatesOf(layer.rawPath)
    return typeof handle === 'function' && 'stack' in handle
      ? paths.flatMap((path) => routesIn(handle, base + path.replace(/\/$/, '')))
      : []
  })

const shown = new Set(['get', 'post', 'put', 'patch', 'delete'])

const routesAt = (path: string, methods: Readonly<Record<string, boolean>>): readonly HostRoute[] =>
  Object.keys(methods)
    .filter((method) => shown.has(method))
    .map((method) => ({ method: method.toUpperCase(), path, operation: {} }))

/** `/users/:id/*rest` -> `/users/{id}/{rest}`. Patterns and optional parts have no such form. */
const templatesOf = (given: unknown): readonly string[] =>
  [given].flat(Number.POSITIVE_INFINITY).flatMap((path) => {
    if (typeof path !== 'string' || !path.startsWith('/') || /[{}()[\]\\"+?!]|\*(?!\w)/.test(path)) return []
    return [path.replaceAll(/[:*](\w+)/g, '{$1}')]
  })
