import type { Model } from '../model/model.ts'
import { refuse } from './parameters.ts'
import type { ListRules } from './settings.ts'

/** A relation that a query string goes along. Its caller must be allowed to list the model. */
export interface RelationUse {
  /** The parameter that an error names: `q`, `sort`, `include`, or the name at the start of a segment. */
  readonly parameter: string
  /** The relations from the model of the request: `items.product`. */
  readonly path: string
  /** The model at the end of the path. */
  readonly model: string
}

/** Counts what a query string has used of its limits so far. */
export interface Tally {
  conditions: number
  /** In units of the setting QUERY_MAX_CONTAINS. */
  contains: number
  readonly uses: RelationUses
}

export const newTally = (): Tally => ({ conditions: 0, contains: 0, uses: new RelationUses() })

class RelationUses {
  readonly #uses = new Map<string, RelationUse>()

  /** Every use once. */
  add(parameter: string, relations: readonly string[], { name: model }: Model): void {
    const path = relations.join('.')
    this.#uses.set(`${parameter} ${path}`, Object.freeze({ parameter, path, model }))
  }

  all(): readonly RelationUse[] {
    return Object.freeze([...this.#uses.values()])
  }
}

/** @throws HttpError 400 above the limit */
export const countCondition = (tally: Tally, { maxConditions }: ListRules, parameter: string): void => {
  tally.conditions += 1
  if (tally.conditions <= maxConditions) return
  throw refuse(
    'malformed_query',
    parameter,
    `A query may have at most ${maxConditions} conditions. Each relation in the name of a field counts as one more.`,
  )
}

/** A database compares the searched string at each character of the stored one, so a longer string costs more. */
const CHARACTERS_AT_ONCE = 50

export const containsUnits = (text: string): number => Math.ceil(text.length / CHARACTERS_AT_ONCE)

/** @throws HttpError 400 above the limit */
export const countContains = (
  tally: Tally,
  units: number,
  { maxContains }: ListRules,
  parameter: string,
): void => {
  tally.contains += units
  if (tally.contains <= maxContains) return
  throw refuse(
    'malformed_query',
    parameter,
    `A query may have at most ${maxContains} substring conditions; search counts once per field, and each string once per ${CHARACTERS_AT_ONCE} characters. Compare whole values with ==, or use fewer or shorter strings.`,
  )
}
