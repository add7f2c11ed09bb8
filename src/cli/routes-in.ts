import type { HostOperationObject, OpenApiDocument, OperationObject } from '../openapi/openapi-document.ts'

/** A line of the table of routes. */
export interface Route {
  readonly method: string
  /** With the base, as the first of the document's servers says it: `/api/products/{id}`. */
  readonly path: string
  readonly operation: string
  /** `null`: it belongs to no model. */
  readonly model: string | null
  /** The schemes of which one must hold; empty: everybody may. `optional`: the operation decides. */
  readonly auth: readonly string[]
}

/** What a document documents, a line for each operation. */
export const routesIn = ({ paths, servers }: OpenApiDocument): readonly Route[] =>
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
 * A group may be called as a model is, as that of authentication. Operations of models are named after them:
 * `listProducts`, `getProduct`.
 */
const modelOf = (operation: OperationObject | HostOperationObject): string | null => {
  const { operationId, tags } = operation
  const isGenerated = 'x-problem-codes' in operation
  return (
    tags.find((tag) => isGenerated && (operationId.startsWith('list') || operationId.endsWith(tag))) ?? null
  )
}

const schemesOf = (security: unknown): readonly string[] =>
  Array.isArray(security)
    ? security.map((requirement: object) => Object.keys(requirement).join(' and ') || 'optional')
    : []
