import type { Model } from '../model/model.ts'
import type { Operation } from '../operation/operation.ts'
import { toSchemas } from './components.ts'
import { type RouteOfHost, shapeOf, withHostRoutes } from './host-routes.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import type { OpenApiOptions } from './options.ts'
import { isShown, toPaths } from './paths.ts'
import { toProblemExamples } from './problem-examples.ts'
import type { SecuritySchemes } from './security.ts'
import { toTags } from './tags.ts'

/** The head of the document, where the operations are mounted (`/api`, or an empty string), and how callers are known. */
export type DocumentHead = OpenApiOptions & {
  readonly base: string
  /** Ways to say who the caller is, any of which will do: security schemes by name. Absent: there is no authentication. */
  readonly schemes?: SecuritySchemes
  /** The models that are served, which their tags describe. */
  readonly models?: readonly Model[]
}

/**
 * The OpenAPI 3.1 document of these operations, with the host's own routes beside them.
 *
 * @throws StartError where two schemas have one name and differ.
 */
export const toOpenApi = (
  operations: readonly Operation[],
  head: DocumentHead,
  hostRoutes: readonly RouteOfHost[],
): OpenApiDocument => {
  const shown = operations.filter(isShown)
  const answered = new Set(operations.map(({ method, path }) => `${method} ${shapeOf(path)}`))
  const paths = withHostRoutes(
    {
      base: head.base,
      paths: toPaths(shown, head.schemes),
      operationIds: new Set(operations.map(({ id }) => id)),
      answers: (method, path) => answered.has(`${method.toUpperCase()} ${shapeOf(path)}`),
    },
    hostRoutes,
  )
  return {
    openapi: '3.1.0',
    info: toInfo(head),
    servers: head.servers ?? [{ url: head.base || '/' }],
    security: [],
    tags: toTags(paths, head.models ?? []),
    paths,
    components: {
      schemas: toSchemas(shown),
      examples: toProblemExamples(shown),
      ...(head.schemes !== undefined && { securitySchemes: head.schemes }),
    },
  }
}

const toInfo = ({ title = 'API', version = '1.0.0', ...head }: OpenApiOptions): OpenApiDocument['info'] => {
  const { description, termsOfService, contact, license } = head
  return {
    ...{ title, version },
    ...(description !== undefined && { description }),
    ...(termsOfService !== undefined && { termsOfService }),
    ...(contact !== undefined && { contact }),
    ...(license !== undefined && { license }),
  }
}
