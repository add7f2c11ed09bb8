import { Command } from 'commander'
import type { HostOperationObject, OpenApiDocument, OperationObject } from '../openapi/openapi-document.ts'
import { inColumns, type MakeCommand } from './command.ts'
import { answerOf } from './project/ask-project.ts'
import { type PlaceOptions, withPlace } from './project/place.ts'

export const routes: MakeCommand = (terminal) =>
  withPlace(new Command('routes').description('List the routes with their models and authentication.'))
    .option(
      '--json',
      'print one line of JSON: an array of { "method", "path", "operation", "model", "auth" }',
      false,
    )
    .action(async (options: PlaceOptions & { readonly json: boolean }) => {
      const found = routesIn(await answerOf('openapi', undefined, options, terminal))
      if (options.json) terminal.print(JSON.stringify(found))
      else
        for (const line of inColumns(['METHOD', 'PATH', 'OPERATION', 'MODEL', 'AUTH'], found.map(cells)))
          terminal.print(line)
    })

const cells = ({ method, path, operation, model, auth }: ReturnType<typeof routesIn>[number]) => [
  ...[method, path, operation, model ?? '-'],
  auth.length === 0 ? 'public' : auth.join(' or '),
]

const routesIn = ({ paths, servers }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: `${servers[0]?.url.replace(/\/$/, '') ?? ''}${path}`,
      operation: operation.operationId,
      model: modelOf(operation),
      auth: schemesOf(operation.security),
    })),
  )

/**
 * A tag is not always a model, for example that of authentication. Operations of models are named after them:
 * `listProducts`, `getProduct`.
 */
const modelOf = (operation: OperationObject | HostOperationObject): string | null => {
  const { operationId, tags } = operation
  const isGenerated = 'x-problem-codes' in operation
  return (
    tags.find((tag) => isGenerated && (operationId.startsWith('list') || operationId.endsWith(tag))) ?? null
  )
}

/** The security schemes, one of which is required. Empty: public. `optional`: the operation decides. */
const schemesOf = (security: unknown): readonly string[] =>
  Array.isArray(security)
    ? security.map((requirement: object) => Object.keys(requirement).join(' and ') || 'optional')
    : []
