/** A place where the API is served, as the document shows it. */
export interface OpenApiServer {
  /** An absolute URL, or a path on the document's own origin. Without a slash at its end. */
  readonly url: string
  readonly description?: string
  /** Values for `{name}` in `url`. */
  readonly variables?: Readonly<Record<string, OpenApiServerVariable>>
}

/** A part of a server's URL that a reader of the document chooses. */
export interface OpenApiServerVariable {
  readonly default: string
  readonly enum?: readonly string[]
  readonly description?: string
}

/**
 * The head of the OpenAPI document, the option `openapi` of `ModelRest`.
 *
 * @example
 * ```ts
 * import type { OpenApiOptions } from 'modelrest'
 *
 * export const openapi: OpenApiOptions = {
 *   title: 'Shop',
 *   version: '2.4.0',
 *   servers: [{ url: 'https://api.shop.test/v2' }],
 * }
 * ```
 */
export interface OpenApiOptions {
  /** @default 'API' */
  readonly title?: string
  /** The version of your API, not of OpenAPI. @default '1.0.0' */
  readonly version?: string
  /** CommonMark. @default none */
  readonly description?: string
  /**
   * `false`: `/openapi.json` and `/docs` answer callers that are authenticated, and everyone else with 401. It needs the
   * option `auth`. @default true
   */
  readonly public?: boolean
  /** @default the base URL that the operations are mounted under, on the document's own origin */
  readonly servers?: readonly OpenApiServer[]
}
