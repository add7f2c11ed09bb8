import { fieldOf, isNeeded, isWritable, type Model } from '../../model/model.ts'
import type { Call } from '../../operation/call.ts'
import type { Steps } from '../../operation/steps.ts'
import type { CustomBodies } from '../../schema/custom/standard-schema.ts'

/** How models are narrowed for some callers. */
export interface Narrowing {
  /** Distinguishes cached queries. */
  readonly id: number
  /** The models as all callers together see them, by name. */
  readonly whole: ReadonlyMap<string, Model>
  /** The fields of a model that the caller may not write. */
  readonly closed: (model: string) => ReadonlySet<string>
  /** @throws HttpError 403 if the access of the caller is another one by now */
  readonly confirm: (call: Call) => Steps<void>
}

/** Custom schemas whose fields this caller may not all write. */
export const closedIn = (
  bodies: CustomBodies | undefined,
  closed: ReadonlySet<string>,
): CustomBodies | undefined =>
  bodies &&
  Object.fromEntries(
    Object.entries(bodies).map(([which, body]) => {
      const declared = new Set([...body.declared].filter((name) => !closed.has(name)))
      return [which, { ...body, declared }]
    }),
  )

/** The fields that a new record needs, and that this caller may not write. */
export const lackingIn = (model: Model, whole: Model): ReadonlySet<string> =>
  new Set(
    model.fields
      .filter((field) => isNeeded(field) && !isWritable(field) && isWritable(fieldOf(whole, field.name)))
      .map(({ name }) => name),
  )
