import type { ProblemCode } from '../error/codes.ts'
import type { OwnCodes } from '../error/own-codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Call, Reply } from './call.ts'
import type { Steps } from './steps.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A path, query or header parameter, as in the OpenAPI document. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  /** For arrays in the query: all values are in one parameter, separated by commas. @default one parameter per value */
  readonly explode?: false
  readonly example?: unknown
  /** The placeholder that `/docs` shows in an empty input. It is not sent. */
  readonly 'x-placeholder'?: string
}

/** A response without an error. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 304
  readonly description: string
  /** Absent: no body. */
  readonly mediaType?: string
  readonly schema?: NamedSchema
  readonly example?: unknown
  /** Headers that are always present, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The limits of a body that is read completely. */
export interface BodyBounds {
  /** The maximum number of bytes. */
  readonly limit: number
  /** The maximum number of milliseconds from the start of reading. */
  readonly timeout: number
}

/** The request body of an operation. */
export interface BodyShape extends BodyBounds {
  /** Media types without parameters, the canonical one first: `application/json`. */
  readonly mediaTypes: readonly string[]
  readonly required: boolean
  readonly schema: NamedSchema
  readonly example?: unknown
  /** The same body as `multipart/form-data`, if that is accepted as well. */
  readonly form?: FormShape
  /** Only an empty body or `{}` is accepted, so the document has none. */
  readonly isEmpty?: true
}

/** The same body as a form. */
export interface FormShape {
  /** Has a property for each part. */
  readonly schema: NamedSchema
  /** The media types of parts, if the schema does not define them: `image/*`. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
  readonly example?: unknown
  /** The maximum number of bytes, including files. */
  readonly limit: number
}

/**
 * An endpoint. Routes, documentation and clients are generated from the same list of operations, and hosts do not need to
 * know anything else.
 */
export interface Operation {
  /** The `operationId`: `listProducts`. */
  readonly id: string
  readonly method: Method
  /** The path template below the base URL: `/products/`, `/products/{id}`. */
  readonly path: string
  /** The group in the documentation: the name of the model. Absent: the operation is not documented. */
  readonly tag?: string
  /** The name of the model. */
  readonly model?: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  /**
   * The callers it serves: anyone, authenticated callers, those who have logged in (an API key is not enough), or callers that it
   * accepts itself. @default anyone
   */
  readonly caller?: 'anyone' | 'required' | 'session' | 'decided'
  readonly parameters: readonly Parameter[]
  readonly body?: BodyShape
  readonly success: Success
  /** The response to callers who may not read the content of `success`. Absent: all callers may read it. */
  readonly withheld?: Success
  /** The response to callers who have the content of `success` already. Absent: there is none. */
  readonly unchanged?: Success
  /** All problem codes of its error responses. */
  readonly problems: readonly ProblemCode[]
  /** Codes of the application that its error responses may have as well. @default none */
  readonly codes?: OwnCodes
  readonly run: (call: Call) => Steps<Reply>
  /**
   * Another operation, whose path the route of this one matches, too: `/orders/aggregate` looks like the order with that key.
   * It serves requests whose key is written like the end of its path. Only for operations without a body.
   */
  readonly instead?: Operation
  /** Served only as `instead` of another operation, so hosts do not mount it. */
  readonly isInstead?: true
  /**
   * The names of all models whose records a request may read or write.
   *
   * @param query the query string of the request, still percent-encoded. @default any query string
   * @default only `model`, if there is one
   */
  readonly models?: (query?: string) => readonly string[]
}

/** The name of the security scheme of API keys. */
export const KEY_SCHEME = 'key'

/** Settings of requests. */
export const operationSettings = {
  /** The maximum size of a JSON body in bytes. @default 1048576 */
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576 },
  // The limit of timers in Node.
  /** The time limit for receiving a JSON body in seconds, up to 2147483. @default 30 */
  JSON_BODY_TIMEOUT: { type: 'integer', default: 30, most: 2_147_483 },
  // A string in V8 has at most 536,870,888 characters.
  /**
   * The maximum size of the records on a page in bytes, up to 268435456. modelrest always sends a page with one record.
   * @default 16777216
   */
  RESPONSE_MAX_BYTES: { type: 'integer', default: 16_777_216, most: 268_435_456 },
  /**
   * The bytes of large records that all requests of a `ModelRest` may hold in memory together. Decoded JSON counts twenty times. A
   * request that does not fit waits up to 5 seconds, and then gets a 503; a single request may take up to four times as much. See docs/deploy.md.
   * @default an eighth of the heap limit of the process (`--max-old-space-size`)
   */
  MEMORY_IN_FLIGHT: { type: 'integer' },
  /**
   * Signs tokens, cursors and file URLs. At least 32 bytes. Keep it secret: anyone who has it can forge them. All processes
   * need the same key.
   */
  SECRET_KEY: { type: 'string' },
  /**
   * The time limit of a transaction in seconds; modelrest rolls back a longer one. Synchronous drivers ignore it: their
   * transactions end within one tick. @default 5
   */
  TRANSACTION_TIMEOUT: { type: 'integer', default: 5 },
  // Each takes several statements, one after the other, in one transaction.
  /**
   * The maximum number of related records that the body of one request creates, changes and deletes, up to 1000. See
   * docs/write-together.md. @default 100
   */
  WRITE_MAX_CHILDREN: { type: 'integer', default: 100, most: 1000 },
  /** The maximum number of records that one bulk request writes, up to 10000. See docs/bulk.md. @default 1000 */
  BULK_MAX: { type: 'integer', default: 1000, most: 10_000 },
  /**
   * The maximum number of retries of a transaction that the database rolled back, for example because of a deadlock, up to 10.
   * With 0, modelrest does not retry reads after a broken connection either. Synchronous drivers never retry. @default 3
   */
  DATABASE_RETRIES: { type: 'integer', default: 3, least: 0, most: 10 },
  /**
   * The longest time in milliseconds that requests wait for the event loop or for a database connection before modelrest
   * refuses new ones with 503. It also refuses some if more than about 1000 requests wait. See docs/deploy.md. 0: it never
   * refuses. @default 1000
   */
  MAX_WAITING: { type: 'integer', default: 1000, least: 0 },
} as const

export const bodyBoundsOf = (
  settings: Readonly<Record<'JSON_BODY_LIMIT' | 'JSON_BODY_TIMEOUT', number>>,
): BodyBounds => ({ limit: settings.JSON_BODY_LIMIT, timeout: settings.JSON_BODY_TIMEOUT * 1000 })

/** A route of the application, which the documentation includes. */
export interface HostRoute {
  readonly method: string
  /** The path template including the base: `/api/hello/{name}`. */
  readonly path: string
  /** Part of an OpenAPI operation object, as far as the host knows it. */
  readonly operation: Readonly<Record<string, unknown>>
}
