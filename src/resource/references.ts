import { reachOf } from '../controller/reach.ts'
import type { Visit } from '../controller/visit.ts'
import type { Relation } from '../model/model.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { Row, Session } from '../source/source.ts'
import { SourceError } from '../source/source-error.ts'
import type { Resource } from './resource.ts'
import type { Write } from './write.ts'

/**
 * A foreign key that a client sent may point to no record out of the caller's reach. The refusal is that for a record
 * that does not exist.
 *
 * @throws SourceError `missing-reference`
 */
export function* assertReferencesInReach(
  { model, around }: Resource,
  visit: Visit,
  { values, sent, key: own }: Write,
  inside: Session,
): Steps<void> {
  const missing: string[] = []
  for (const relation of around.scopedReferences) {
    if (!relation.fields.some((name) => sent.includes(name))) continue
    const isPartial = own !== undefined && relation.fields.some((name) => values[name] === undefined)
    const stored = isPartial ? yield* wait(inside.store(model).read(own, visit.guard)) : undefined
    const key = keyIn(relation, { ...stored, ...values })
    if (key === undefined) continue
    const target = around.reaching.modelOf(relation.model)
    const reach = yield* reachOf(around.reaching, target, visit)
    if (reach === everything) continue
    if ((yield* wait(inside.store(target).count(key, reach, 1))) === 0) missing.push(...relation.fields)
  }
  if (missing.length > 0) throw new SourceError('missing-reference', { fields: [...new Set(missing)] })
}

/** The record that a foreign key points to, as a condition. `undefined`: it points to nothing. */
const keyIn = ({ fields, references }: Relation, values: Row): Condition | undefined => {
  const conditions: Condition[] = []
  for (const [place, name] of fields.entries()) {
    const value = values[name]
    const reference = references[place]
    if (value === undefined || value === null || reference === undefined) return undefined
    conditions.push({ op: 'eq', field: reference, value })
  }
  return { op: 'and', conditions }
}
