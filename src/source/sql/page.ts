import type { Database } from './database.ts'
import { addValue, type Build, type StatementDraft } from './statement.ts'
import { sql } from './text.ts'

/**
 * ` limit …`, with an offset if there is one. If they are the only values besides primary keys, they become part of the text,
 * so that PostgreSQL can keep the plan: it plans poorly for a limit that it does not know.
 */
export const compilePage = (
  limit: number,
  offset: number | undefined,
  draft: StatementDraft,
  { keepsPlans }: Database,
  keys = 0,
): Build => {
  if (keepsPlans && draft.values.length === keys && !offset && Number.isSafeInteger(limit)) {
    draft.hasOnePlan = true
    draft.key += ` limit${limit}`
    return () => sql.raw(` limit ${limit}`)
  }
  const limitAt = addValue(draft, limit)
  if (offset === undefined) return (slots) => sql` limit ${slots(limitAt)}`
  const offsetAt = addValue(draft, offset)
  return (slots) => sql` limit ${slots(limitAt)} offset ${slots(offsetAt)}`
}
