import type { ProblemCode } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Call, Reply } from './call.ts'
import type { Steps } from './steps.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A path, query or header parameter, as the document shows it. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  /** Of an array in the query: its values stand in one parameter, with commas between them. @default one parameter each */
  readonly explode?: false
  readonly example?: unknown
  /** What `/docs` shows in an empty input. It is not sent. */
  readonly 'x-placeholder'?: string
}

/** What a reply that is no error looks like. */
export interface Success {
  readonly status: 200 | 201 | 204
  readonly description: string
  /** Absent: no body. */
  readonly mediaType?: string
  readonly schema?: NamedSchema
  readonly example?: unknown
  /** Headers that are always there, with their description. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a body that is read whole is held to. */
export interface BodyBounds {
  /** The most bytes. */
  readonly limit: number
  /** The most milliseconds from the moment that it is asked for. */
  readonly timeout: number
}

/** The body that an operation takes. */
export interface BodyShape extends BodyBounds {
  /** Essences without parameters, the canonical one first: `application/json`. */
  readonly mediaTypes: readonly string[]
  readonly required: boolean
  readonly schema: NamedSchema
  readonly example?: unknown
  /** It takes `multipart/form-data` beside these media types. */
  readonly form?: FormShape
}

/** The same body as a form. */
export interface FormShape {
  /** A property for each part. */
  readonly schema: NamedSchema
  /** Part -> its media types, where its schema does not say them: `image/*`. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
  readonly example?: unknown
  /** The most bytes, files included. */
  readonly limit: number
}

/**
 * One thing that is served. Routes, documentation and clients are made from the same list of operations,
 * and a host has nothing else to learn.
 */
export interface Operation {
  /** The `operationId`: `listProducts`. */
  readonly id: string
  readonly method: Method
  /** Below the base URL, as the documentation shows it: `/products/`, `/products/{id}`. */
  readonly path: string
  /** A group in the documentation: the model's name. Absent: not shown there. */
  readonly tag?: string
  /** The name of the model that it is about. */
  readonly model?: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  /** Whom it serves: anyone, who is authenticated, or whom it decides on by itself. @default anyone */
  readonly caller?: 'anyone' | 'required' | 'decided'
  readonly parameters: readonly Parameter[]
  readonly body?: BodyShape
  readonly success: Success
  /** What it replies instead to a caller who may not read what `success` shows. Absent: whoever it serves may read that. */
  readonly withheld?: Success
  /** Every problem that it may answer with. */
  readonly problems: readonly ProblemCode[]
  readonly run: (call: Call) => Steps<Reply>
}

/** Settings of requests. */
export const operationSettings = {
  /** The maximum size of a JSON body in bytes. @default 1048576 */
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576 },
  // A timer of Node takes no more.
  /** Seconds within which a JSON body must arrive, up to 2147483. @default 30 */
  JSON_BODY_TIMEOUT: { type: 'integer', default: 30, most: 2_147_483 },
  // A text of V8 has at most 536,870,888 characters.
  /**
   * The maximum size of the records on a page in bytes, up to 268435456. A page with one record is always sent. @default
   * 16777216
   */
  RESPONSE_MAX_BYTES: { type: 'integer', default: 16_777_216, most: 268_435_456 },
  /**
   * Signs tokens, cursors and file URLs. At least 32 bytes. Keep it secret: anyone who has it can forge them. All processes
   * need the same key.
   */
  SECRET_KEY: { type: 'string' },
  /**
   * Seconds after which an open transaction is rolled back. Synchronous drivers ignore it: their transactions end within one
   * tick. @default 5
   */
  TRANSACTION_TIMEOUT: { type: 'integer', default: 5 },
  /**
   * How often a transaction is retried after the database rolled it back, for example because of a deadlock, up to 10. With 0,
   * reads whose connection broke are not retried either. Synchronous drivers never retry. @default 3
   */
  DATABASE_RETRIES: { type: 'integer', default: 3, least: 0, most: 10 },
} as const

export const bodyBoundsOf = (
  settings: Readonly<Record<'JSON_BODY_LIMIT' | 'JSON_BODY_TIMEOUT', number>>,
): BodyBounds => ({ limit: settings.JSON_BODY_LIMIT, timeout: settings.JSON_BODY_TIMEOUT * 1000 })

/** A route of the host's own, shown in the documentation beside the generated ones. */
export interface HostRoute {
  readonly method: string
  /** In the form of OpenAPI, the base included: `/api/hello/{name}`. */
  readonly path: string
  /** What the host knows of it: a part of an OpenAPI operation object. */
  readonly operation: Readonly<Record<string, unknown>>
}
