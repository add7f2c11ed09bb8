import type { Host } from '../host/host.ts'
import { shapeOf } from '../openapi/host-routes.ts'
import type { HostRoute, Operation } from '../operation/operation.ts'

/** Operations, apart from those that routes of the application replace. */
export interface Unreplaced {
  readonly operations: readonly Operation[]
  readonly replaced: readonly Operation[]
}

export const unreplaced = async (
  host: Pick<Host, 'replaced'>,
  all: readonly Operation[],
): Promise<Unreplaced> => {
  const replaced = (await host.replaced?.(all)) ?? []
  const rest = all.filter((operation) => !replaced.includes(operation))
  const passing = new Set(rest.flatMap(({ instead, model }) => (instead === undefined ? [] : [model])))
  const operations = rest.map((operation) => {
    const { isInstead, ...routed } = operation
    // No operation passes requests on to it, so it needs a route of its own.
    return isInstead === true && !passing.has(operation.model) ? Object.freeze(routed) : operation
  })
  return { operations: Object.freeze(operations), replaced: Object.freeze([...replaced]) }
}

/** The startup log line. None if nothing is replaced. */
export const replacedLines = (base: string, replaced: readonly Operation[]): readonly string[] =>
  replaced.length === 0
    ? []
    : [
        `replaced by routes of the application: ${replaced.map(({ method, path }) => `${method} ${base}${path}`).join(', ')}`,
      ]

/**
 * The application's own routes for the document. It also names a route that replaces an operation if the host does not know
 * its schema, because the application declared it before it created the `ModelRest`.
 */
export const hostRoutesOf = (
  { base, routes }: Pick<Host, 'base' | 'routes'>,
  replaced: readonly Operation[],
): readonly HostRoute[] => {
  const known = routes?.() ?? []
  const keys = new Set(known.map(({ method, path }) => `${method} ${shapeOf(path)}`))
  const unknown = replaced.filter(
    ({ method, path, tag }) => tag !== undefined && !keys.has(`${method} ${shapeOf(base + path)}`),
  )
  return [...known, ...unknown.map(({ method, path }) => ({ method, path: base + path, operation: {} }))]
}
