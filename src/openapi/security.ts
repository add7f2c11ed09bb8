import type { Operation } from '../operation/operation.ts'

/** What the document calls the security scheme of callers. */
export const CALLER = 'caller'

/** One of these must hold. An empty one holds for anybody. */
export type SecurityRequirements = readonly { readonly [scheme: string]: readonly string[] }[]

/** What a request must bring, by whom the operation serves. */
export const securityOf: Readonly<Record<NonNullable<Operation['caller']>, SecurityRequirements>> = {
  anyone: [],
  required: [{ [CALLER]: [] }],
  decided: [{ [CALLER]: [] }, {}],
}
