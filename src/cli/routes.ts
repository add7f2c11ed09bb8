import { Command } from 'commander'
import { ownValue } from '../model/objects.ts'
import { securityOf } from '../openapi/paths.ts'
import type { AnswerTo } from './project/answering.ts'
import { projectAnswer } from './project/ask-project.ts'
import { type PlaceOptions, withPlace } from './project/place.ts'
import { inColumns, type MakeCommand } from './terminal/index.ts'

export const routes: MakeCommand = (terminal) =>
  withPlace(new Command('routes').description('List the routes with their models and authentication.'))
    .option(
      '--json',
      'print one line of JSON: an array of { "method", "path", "operation", "model", "auth" }',
      false,
    )
    .action(async (options: PlaceOptions & { readonly json: boolean }) => {
      const found = routesIn(await projectAnswer('routes', undefined, options, terminal))
      const lines = options.json ? [JSON.stringify(found)] : [...table(found), ...legend(found)]
      for (const line of lines) terminal.print(line)
    })

type ListedRoute = ReturnType<typeof routesIn>[number]

const table = (found: readonly ListedRoute[]): readonly string[] =>
  inColumns(['METHOD', 'PATH', 'OPERATION', 'MODEL', 'AUTH'], found.map(cells))

/** Explains the column AUTH, if a route requires authentication. */
const legend = (found: readonly ListedRoute[]): readonly string[] => {
  const schemes = new Set(found.flatMap(({ auth }) => auth ?? []))
  if (schemes.size === 0) return []
  const optional =
    ' `optional`: with or without credentials. A permission function, if there is one, decides about each request.'
  return ['', `AUTH: any one of the listed credentials is enough.${schemes.has(OPTIONAL) ? optional : ''}`]
}

const cells = ({ method, path, operation, model, auth }: ListedRoute): readonly string[] => [
  ...[method, path, operation, model ?? '-'],
  auth === null ? '-' : auth.length === 0 ? 'public' : auth.join(' or '),
]

const routesIn = ({ document, models, undocumented }: AnswerTo<'routes'>) => {
  const { paths, servers, components } = document
  const base = servers[0]?.url.replace(/\/$/, '') ?? ''
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: `${base}${path}`,
      operation: operation.operationId,
      model: ownValue(models, operation.operationId) ?? null,
      // Routes of the application check their callers themselves.
      auth: 'x-problem-codes' in operation ? schemesOf(operation.security) : null,
    })),
  )
  const others = undocumented.map((route) => ({
    method: route.method,
    path: `${base}${route.path}`,
    operation: route.id,
    model: route.model ?? null,
    auth: schemesOf(securityOf(route, components.securitySchemes ?? {})),
  }))
  return [...documented, ...others]
}

const OPTIONAL = 'optional'

/** The security schemes, one of which is required. Empty: public. `optional`: the operation decides. */
const schemesOf = (security: unknown): readonly string[] =>
  Array.isArray(security)
    ? security.map((requirement: object) => Object.keys(requirement).join(' and ') || OPTIONAL)
    : []
