import type { OpenApiDocument } from '../openapi/openapi-document.ts'

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

/** Groups of the document that are no models. */
const otherTags: ReadonlySet<string> = new Set(['Auth', 'other'])

/** What a document documents, a line for each operation. */
export const routesIn = ({ paths, servers }: OpenApiDocument): readonly Route[] =>
  Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, { operationId, tags, security }]) => ({
      method: method.toUpperCase(),
      path: `${own[0]?.url.replace(/\/$/, '') ?? ''}${path}`,
      operation: operationId,
      model: tags.find((tag) => !otherTags.has(tag)) ?? null,
      auth: schemesOf(security),
    })),
  )

const schemesOf = (security: unknown): readonly string[] =>
  Array.isArray(security)
    ? security.map((requirement: object) => Object.keys(requirement).join(' and ') || 'optional')
    : []
