import type { JsonSchema } from '../model/codec.ts'

/** A JSON Schema that the document keeps under a name: `ProductCreate`. */
export interface NamedSchema {
  readonly name: string
  readonly schema: JsonSchema
  /** Those that `schema` refers to as `#/components/schemas/…`, so that the document holds them too. */
  readonly uses?: readonly NamedSchema[]
}
