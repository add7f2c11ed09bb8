import type { Hooks } from './hooks.ts'
import type { PermissionAct, Permissions } from './permissions.ts'

/** A controller as it was found: the hooks of one model. */
export interface Controller {
  /** The name of its model. */
  readonly model: string
  /** Where it stands, for messages: `controllers/product.ts, ProductController`. */
  readonly place: string
  readonly hooks: Hooks
  readonly permissions: Permissions
  /** Foreign keys of other models may point to records out of its scope. @default they may not */
  readonly bindsReferences?: false
  /** Acts whose permission, a function, refuses the anonymous whatever record they ask for. @default none */
  readonly needsCaller?: readonly PermissionAct[]
}
