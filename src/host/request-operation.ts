import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'

/**
 * The operation that serves a request, and the models that the request touches. It is for guards of the application, which
 * see only the path.
 */
export interface RequestOperation {
  /** The `operationId`, such as `listOrders`. */
  readonly operation: string
  /**
   * The names of all models whose records the request may read or write: the model of the path, and those to which relations
   * lead: in the query string, by default (`modelConfig.X.include`), and in bodies (`modelConfig.X.write`, whatever the body
   * contains), with their join tables. A malformed query string counts as one that uses all relations. Empty for the
   * documentation and for health checks.
   *
   * It does not contain what your own hooks, scopes and actions read.
   */
  readonly models: readonly string[]
}

/** Reads the query string when a guard asks for the models. */
class QueriedOperation implements RequestOperation {
  readonly operation: string
  readonly #read: () => readonly string[]
  #models: readonly string[] | undefined

  constructor(operation: Operation, query?: string) {
    this.operation = operation.id
    this.#read = () => modelsOf(operation, query)
  }

  get models(): readonly string[] {
    this.#models ??= Object.freeze([...new Set(this.#read())])
    return this.#models
  }
}

const modelsOf = ({ models, model }: Operation, query?: string): readonly string[] =>
  models?.(query) ?? (model === undefined ? [] : [model])

/**
 * What `Host.operationOf` returns for a request to the route of an operation. For hosts with a router of their own; others have
 * `routeTable().operationOf`.
 *
 * @param call the path parameters and the query string, still percent-encoded
 * @example
 * ```ts
 * import { type Operation, type RequestOperation, requestOperation } from 'modelrest/host'
 *
 * export const operationOf = (route: Operation, id: string, url: URL): RequestOperation =>
 *   requestOperation(route, { params: { id }, query: url.search.slice(1) })
 * ```
 */
export const requestOperation = (
  operation: Operation,
  { params, query }: Pick<Call, 'params' | 'query'>,
): RequestOperation => new QueriedOperation(servingOf(operation, params), query)

/** The same for any request to an operation: its models are those to which any request may lead. */
export const operationOfAnyRequest = (operation: Operation): RequestOperation =>
  new QueriedOperation(operation)

/**
 * The operation that serves a request to the route of `operation`. A client that percent-encodes any part of a key always means
 * the record: `/orders/%61ggregate`.
 *
 * @param params the path parameters, still percent-encoded
 */
export const servingOf = (operation: Operation, { id }: Call['params']): Operation => {
  const { instead } = operation
  return instead?.path.endsWith(`/${id}`) === true ? instead : operation
}

/**
 * Adds `request.modelrest` to the prototype of the requests of an application, so that all hooks have it, and requests whose
 * guards do not ask cost nothing.
 */
export const decorateRequests = (
  prototype: unknown,
  operationOf: (request: unknown) => RequestOperation | undefined,
): void => {
  if (typeof prototype !== 'object' || prototype === null) return
  // Of another API in the same application.
  const before = Object.getOwnPropertyDescriptor(prototype, 'modelrest')?.get
  Object.defineProperty(prototype, 'modelrest', {
    configurable: true,
    get(this: unknown) {
      return operationOf(this) ?? before?.call(this)
    },
  })
}
