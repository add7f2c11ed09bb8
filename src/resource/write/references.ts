import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { hidesRecords, type Relation } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { DEFAULT, type Row, type Session, SourceError } from '../../source/source.ts'
import { recordsInside } from '../parts/records.ts'
import type { Resource } from '../parts/resource.ts'
import type { BoundReference, Change, WritingInside } from './change.ts'
import { mostKeys, partsOf } from './keys.ts'

/** The foreign keys of a write that must refer to records in scope. Runs those scopes before any transaction. */
export function* boundReferences(
  { scopedReferences, scopes }: Resource,
  scoped: ScopedCall,
  { fields }: Pick<Change, 'fields'>,
): Steps<readonly BoundReference[]> {
  const bound: BoundReference[] = []
  for (const relation of scopedReferences) {
    if (!relation.fields.some((name) => fields.includes(name))) continue
    const target = scopes.modelOf(relation.model)
    const isBound = scopes.controllers.get(target.name)?.bindsReferences !== false
    const guard = isBound ? yield* guardOf(scopes, target, scoped) : everything
    // To the store of the target, a hidden record does not exist.
    if (guard === everything && !hidesRecords(target)) continue
    bound.push({ relation, target, scope: { guard } })
  }
  return bound
}

/**
 * A foreign key must refer to a record in scope. Otherwise the error is the same as for a missing record. Returns the
 * references that can be checked only after the write, because the database fills in a part of them.
 */
export function* assertInReach(
  { target, scoped, transaction }: WritingInside,
  { values, key: own, references = [] }: Change,
): Steps<readonly BoundReference[]> {
  const open: BoundReference[] = []
  const records = target.resource.records.inside(transaction.session)
  const missing: string[] = []
  for (const reference of references) {
    const { fields } = reference.relation
    const isPartial = own !== undefined && fields.some((name) => ownValue(values, name) === undefined)
    const stored = isPartial ? yield* wait(records.lock(scoped, own)) : undefined
    const row = { ...stored, ...values }
    if (isOpen(reference.relation, row, own === undefined)) open.push(reference)
    else if (!(yield* isInReach(reference, row, transaction.session))) missing.push(...fields)
  }
  if (missing.length > 0) throw new SourceError('missing-reference', { fields: [...new Set(missing)] })
  return open
}

/** The same after the write. Without fields, because a database error would not name them here either. */
export function* assertStoredInReach(
  references: readonly BoundReference[],
  record: Row,
  session: Session,
): Steps<void> {
  for (const reference of references) {
    if (!(yield* isInReach(reference, record, session))) throw new SourceError('missing-reference')
  }
}

/** Foreign keys of a new record that must refer to records in scope. */
type Referring = Pick<Change, 'values' | 'references'>

/** Whether all foreign keys of new records surely refer to records in scope. Looks up each key once. */
export function* areInReach(records: readonly Referring[], session: Session): Steps<boolean> {
  const wanted = new Map<
    Relation,
    { readonly reference: BoundReference; readonly keys: Map<string, Condition> }
  >()
  for (const { references = [], values } of records)
    for (const reference of references) {
      const { relation } = reference
      if (isOpen(relation, values, true)) return false
      const { keys } = wanted.get(relation) ?? { keys: new Map<string, Condition>() }
      wanted.set(relation, { reference, keys })
      const key = keyIn(relation, values)
      if (key !== undefined) keys.set(sharedText(key), key)
    }
  for (const { reference, keys } of wanted.values()) {
    const { target, scope } = reference
    const records = recordsInside(session, target)
    for (const conditions of partsOf([...keys.values()], mostKeys([]))) {
      const found = yield* wait(records.count(scope, { op: 'or', conditions }))
      if (found !== conditions.length) return false
    }
  }
  return true
}

/** Different for different keys. Two strings for the same key cost only a comparison. */
const sharedText = (key: Condition): string =>
  JSON.stringify(key, (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))

const isOpen = ({ fields }: Relation, row: Row, isNew: boolean): boolean =>
  fields.every((name) => ownValue(row, name) !== null) &&
  fields.some((name) => ownValue(row, name) === DEFAULT || (isNew && ownValue(row, name) === undefined))

function* isInReach({ relation, target, scope }: BoundReference, row: Row, session: Session): Steps<boolean> {
  const key = keyIn(relation, row)
  return key === undefined || (yield* wait(recordsInside(session, target).count(scope, key, 1))) > 0
}

/** The record that a foreign key refers to, as a condition. `undefined` if the foreign key is null. */
const keyIn = ({ fields, references }: Relation, values: Row): Condition | undefined => {
  const conditions: Condition[] = []
  for (const [place, name] of fields.entries()) {
    const value = ownValue(values, name)
    const reference = references[place]
    if (value === undefined || value === null || reference === undefined) return undefined
    conditions.push({ op: 'eq', field: reference, value })
  }
  return { op: 'and', conditions }
}
