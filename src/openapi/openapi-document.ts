import type { ProblemCode } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Parameter } from '../operation/operation.ts'
import type { OpenApiOptions, OpenApiServer } from './options.ts'

/** An OpenAPI 3.1 document as plain JSON: the part of the format that is written here. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string } & Pick<
    OpenApiOptions,
    'description' | 'termsOfService' | 'contact' | 'license'
  >
  readonly servers: readonly OpenApiServer[]
  /** Empty: each operation says for itself whether it asks for authentication. */
  readonly security: readonly []
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly examples: Readonly<Record<string, ExampleObject>>
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  }
}

/** The methods that OpenAPI has a place for, HEAD aside: it answers as GET does. */
export type DocumentedMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'patch' | 'trace'

/** What is served at one path. */
export type PathItem = {
  readonly [method in DocumentedMethod]?: OperationObject | HostOperationObject
}

/** A generated operation. */
export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  /** Absent: there is no authentication. */
  readonly security?: SecurityRequirements
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>
  /** A JSON Schema of the member `code` of this operation's errors. */
  readonly 'x-problem-codes': { readonly type: 'string'; readonly enum: readonly ProblemCode[] }
}

/** An operation of a route of the host: the host's description, with the members that OpenAPI requires. */
export interface HostOperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly [keyword: string]: unknown
}

/** A parameter, written where it is used. */
export interface ParameterObject extends Omit<Parameter, 'explode'> {
  readonly style?: 'form'
  readonly explode?: boolean
}

/** The body that a request brings. */
export interface RequestBodyObject {
  readonly description: string
  readonly required: boolean
  readonly content: Content
}

/** A component, with a description for the place that refers to it. */
export interface ReferenceObject {
  readonly $ref: string
  readonly description: string
}

/** What comes back with one status. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly content?: Content
}

/** A header of a response. */
export interface HeaderObject {
  readonly description: string
  readonly required?: true
  readonly schema: JsonSchema
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, MediaTypeObject>>

/** A body in one media type, with one example or several named ones. */
export interface MediaTypeObject {
  readonly schema?: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
  /** Of the parts of a form. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

/** An example under a name. */
export interface ExampleObject {
  readonly summary: string
  readonly value: unknown
}

/** OpenAPI security scheme objects, by the names that the document has for them. */
export type SecuritySchemes = Readonly<Record<string, JsonSchema>>

/** One of these must hold. An empty one holds for anybody. */
export type SecurityRequirements = readonly { readonly [scheme: string]: readonly string[] }[]
