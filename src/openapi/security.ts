import type { JsonSchema } from '../model/codec.ts'
import type { Operation } from '../operation/operation.ts'

/** OpenAPI security scheme objects, by the names that the document has for them. */
export type SecuritySchemes = Readonly<Record<string, JsonSchema>>

/** One of these must hold. An empty one holds for anybody. */
export type SecurityRequirements = readonly { readonly [scheme: string]: readonly string[] }[]

/** What a request must bring, by whom the operation serves. */
export const securityOf = (
  { caller = 'anyone' }: Operation,
  schemes: SecuritySchemes,
): SecurityRequirements => {
  if (caller === 'anyone') return []
  const any = Object.keys(schemes).map((name) => ({ [name]: [] }))
  return caller === 'decided' ? [...any, {}] : any
}
