import type { Model } from '../model/model.ts'
import type { PaginationType } from './pagination.ts'

/** What a list may be asked, and within which bounds. */
export interface ListRules {
  readonly model: Model
  readonly paging: PaginationType
  /** Records of a page where the request does not say. */
  readonly perPage: number
  readonly maxLimit: number
  /** Signs the cursors of cursor pages. */
  readonly secret: string
  readonly maxQueryBytes: number
  readonly maxConditions: number
  /** How many conditions may look for a part of a text; a long text counts for several. */
  readonly maxContains: number
  readonly maxSorts: number
  /** How deep groups may be nested. */
  readonly maxDepth: number
  /** How far `count=estimated` counts exactly. */
  readonly countBound: number
}
