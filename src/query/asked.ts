import type { QueryField } from './fields.ts'
import type { Operator } from './operators.ts'

/** A field and an operator on it. */
export interface Asked {
  readonly target: QueryField
  readonly operator: Operator
  /** What an error names. */
  readonly parameter: string
}
