import type { HostRoute } from '../host.ts'
import type { DeclaredRoute, FastifyApp } from './app.ts'
import { isOurs } from './declare.ts'
import { toOperationObject } from './route-schema.ts'

const unshown: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS'])

/** Collects the routes that the application declares from now on, in this context and those below it. */
export const collectRoutes = (app: FastifyApp & SharedSchemas): (() => readonly HostRoute[]) => {
  const routes: DeclaredRoute[] = []
  app.addHook('onRoute', (route) => {
    if (!isOurs(route.config)) routes.push(route)
  })
  return () =>
    routes.flatMap((route) => {
      const schema = asRecord(route.schema)
      const path = toTemplate(route.url)
      if (schema['hide'] === true) return []
      return [route.method]
        .flat()
        .filter((method) => !unshown.has(method))
        .map((method) => ({ method, path, operation: toOperationObject(path, schema, app.getSchemas()) }))
    })
}

/** The schemas that an application shares by `$id`. */
export interface SharedSchemas {
  getSchemas(): Readonly<Record<string, unknown>>
}

/** `/users/:id(^\\d+$)/*` -> `/users/{id}/{wildcard}`; `::` is a colon. */
export const toTemplate = (url: string): string =>
  url
    .replaceAll('::', '\0')
    .replaceAll(/:([A-Za-z0-9_]+)(\((?:[^()]|\([^()]*\))*\))?\??/g, '{$1}')
    .replace('*', '{wildcard}')
    .replaceAll('\0', ':')

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
