import type { Field } from '../model/model.ts'
import type { ListRules } from './rules.ts'

/** What the reading of one query string keeps in mind. */
export interface FilterContext {
  readonly parameter: string
  readonly rules: ListRules
  fieldNamed(name: string): Field
  /** Fields that hold the key of this or another record: text there is compared as a whole. */
  isKey(field: Field): boolean
  /** @throws HttpError 400 beyond the allowed number of conditions */
  count(): void
}
