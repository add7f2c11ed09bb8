import type { NamedSchema } from '../json-schema.ts'

/**
 * A schema of a library that implements [Standard Schema](https://standardschema.dev) 1, such as Zod, Valibot or ArkType.
 *
 * The documentation shows its `~standard.jsonSchema` (Standard JSON Schema 1), if it has one.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    /** The name of the library, such as `zod`. */
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | PromiseLike<StandardResult>
    /** Does not exist at run time. */
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}

type TypesOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>

/** The type of the values that a schema accepts. */
export type InputOf<Schema extends StandardSchema> = TypesOf<Schema>['input']

/** The type of the values that a schema returns. */
export type OutputOf<Schema extends StandardSchema> = TypesOf<Schema>['output']

/** The output of a schema, or its issues. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Schemas are functions (ArkType) or objects. */
export const isStandardSchema = (value: unknown): value is StandardSchema => {
  const { version, vendor, validate } = Object(Object(value)['~standard'])
  return version === 1 && typeof vendor === 'string' && typeof validate === 'function'
}

/** The keys of the path of an issue, unwrapped from the objects that some libraries use. */
export const issuePath = ({ path = [] }: StandardIssue): readonly PropertyKey[] =>
  path.map((part) => (typeof part === 'object' ? part.key : part))

/** A custom schema in place of a generated one. */
export interface CustomBody {
  /** Its place in the options: `customSchemas.Product.create`. */
  readonly place: string
  readonly schema: StandardSchema
  /**
   * Derived from the create schema. Its output keeps only the keys that the client sent, so that defaults do not apply.
   */
  readonly onlySent: boolean
  /** The keys that the schema names. */
  readonly declared: ReadonlySet<string>
  /** Validation may be asynchronous. */
  readonly mayWait: boolean
  /** The schema in the document. @default the generated schema */
  readonly shown?: NamedSchema
}

/** The create schema also reads the bodies of PUT. */
export type CustomBodies = Readonly<Partial<Record<'create' | 'update' | 'replace', CustomBody>>>
