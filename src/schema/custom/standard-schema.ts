import type { NamedSchema } from '../json-schema.ts'

/**
 * A schema of a library that follows Standard Schema 1: Zod, Valibot, ArkType and others.
 *
 * Its `~standard.jsonSchema` (Standard JSON Schema 1), where it has one, is what the documentation shows.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    /** The library: `zod`. */
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | PromiseLike<StandardResult>
  }
}

/** What a schema makes of a value, or what it finds wrong. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Libraries give functions (ArkType) and objects. */
export const isStandardSchema = (value: unknown): value is StandardSchema => {
  const { version, vendor, validate } = Object(Object(value)['~standard'])
  return version === 1 && typeof vendor === 'string' && typeof validate === 'function'
}

/** The keys of an issue's path, without the objects that some libraries put around them. */
export const keysOf = ({ path = [] }: StandardIssue): readonly PropertyKey[] =>
  path.map((part) => (typeof part === 'object' ? part.key : part))

/** A schema of the application's own, in place of a generated one. */
export interface CustomBody {
  /** As the option names it: `customSchemas.Product.create`. */
  readonly place: string
  readonly schema: StandardSchema
  /** It was made from the create schema: only what was sent may come out, so that no default applies. */
  readonly onlySent: boolean
  /** The keys that the schema names. */
  readonly declared: ReadonlySet<string>
  /** Validation may take its time. */
  readonly mayWait: boolean
  /** What the document shows. @default the generated schema */
  readonly shown?: NamedSchema
}

/** The schema for create reads the bodies of PUT as well. */
export type CustomBodies = Readonly<Partial<Record<'create' | 'update' | 'replace', CustomBody>>>
