import type { JsonSchema } from '../model/codec.ts'

/** A JSON Schema that the document keeps under a name: `ProductCreate`. */
export interface NamedSchema {
  readonly name: string
  readonly schema: JsonSchema
}
