import type { ErrorCode } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Parameter } from '../operation/operation.ts'
import type { Vocabulary } from '../schema/vocabulary.ts'
import type { OpenApiOptions, OpenApiServer } from './options.ts'

/** An OpenAPI 3.1 document as plain JSON: the part of the format that modelrest generates. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string } & Pick<
    OpenApiOptions,
    'description' | 'termsOfService' | 'contact' | 'license'
  >
  readonly servers: readonly OpenApiServer[]
  /** Empty, because each operation declares whether it requires authentication. */
  readonly security: readonly []
  /** What programs need beyond OpenAPI. See docs/vocabulary.md. */
  readonly 'x-modelrest'?: Vocabulary
  readonly tags: readonly TagObject[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: Readonly<Record<string, ParameterObject>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly examples: Readonly<Record<string, ExampleObject>>
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  }
}

/** A group of operations: those of a model, or others. */
export interface TagObject {
  readonly name: string
  readonly description: string
  /** Of a model: the models that its fields refer to. */
  readonly 'x-references'?: readonly { readonly model: string; readonly fields: readonly string[] }[]
}

/** The methods in an OpenAPI document. HEAD is missing, because the GET operation serves it. */
export type DocumentedMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'patch' | 'trace'

/** The operations at one path. */
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
  /** Absent: authentication is off. */
  readonly security?: SecurityRequirements
  readonly parameters: readonly (ParameterObject | ParameterReference)[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>
  /** A JSON Schema for the member `code` of this operation's errors. */
  readonly 'x-problem-codes': { readonly type: 'string'; readonly enum: readonly ErrorCode[] }
}

/** The operation of a host's own route: the description from the host, with the members that OpenAPI requires. */
export interface HostOperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly [keyword: string]: unknown
}

/** The place of a parameter that several operations have. */
export interface ParameterReference {
  readonly $ref: string
}

/** A parameter, inline or a component. */
export interface ParameterObject extends Omit<Parameter, 'explode'> {
  readonly style?: 'form'
  readonly explode?: boolean
}

/** A request body. */
export interface RequestBodyObject {
  readonly description: string
  readonly required: boolean
  readonly content: Content
}

/** A reference to a component, with a description for this use of it. */
export interface ReferenceObject {
  readonly $ref: string
  readonly description: string
}

/** The response with one status. */
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
  /** The media types of the parts of a form. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

/** A named example. */
export interface ExampleObject {
  readonly summary: string
  readonly value: unknown
}

/** OpenAPI security scheme objects, by their names in the document. */
export type SecuritySchemes = Readonly<Record<string, JsonSchema>>

/** One of these is required. An empty one also admits anonymous callers. */
export type SecurityRequirements = readonly { readonly [scheme: string]: readonly string[] }[]
