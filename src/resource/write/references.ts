import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { hidesRecords, type Relation } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { everything, haveValues } from '../../query/ast.ts'
import { amongKeys, type Key, keyText, keyValues, mostKeys } from '../../source/record-keys.ts'
import { DEFAULT, type Row, type Session, SourceError } from '../../source/source.ts'
import { recordsInside } from '../parts/records.ts'
import type { CallerAccess } from '../parts/resource.ts'
import { partsOf } from '../parts/target.ts'
import type { BoundReference, Change, WriteContextInside } from './change.ts'

/** The foreign keys of a write that must refer to records in scope. Runs those scopes before any transaction. */
export function* boundReferences(
  { scopedReferences, scopes }: CallerAccess,
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
  { target, scoped, transaction }: WriteContextInside,
  { values, key: own, references = [] }: Change,
): Steps<readonly BoundReference[]> {
  const open: BoundReference[] = []
  const records = target.records.inside(transaction.session)
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
  const wanted = new Map<Relation, { readonly reference: BoundReference; readonly keys: Map<string, Key> }>()
  for (const { references = [], values } of records)
    for (const reference of references) {
      const { relation } = reference
      if (isOpen(relation, values, true)) return false
      const { keys } = wanted.get(relation) ?? { keys: new Map<string, Key>() }
      wanted.set(relation, { reference, keys })
      const key = keyIn(relation, values)
      if (key !== undefined) keys.set(keyText(key), key)
    }
  for (const { reference, keys } of wanted.values()) {
    const { target, scope, relation } = reference
    const { references } = relation
    const records = recordsInside(session, target)
    for (const part of partsOf([...keys.values()], mostKeys(references))) {
      const found = yield* wait(records.count(scope, amongKeys(references, part)))
      if (found !== part.length) return false
    }
  }
  return true
}

const isOpen = ({ fields }: Relation, row: Row, isNew: boolean): boolean =>
  fields.every((name) => ownValue(row, name) !== null) &&
  fields.some((name) => ownValue(row, name) === DEFAULT || (isNew && ownValue(row, name) === undefined))

function* isInReach({ relation, target, scope }: BoundReference, row: Row, session: Session): Steps<boolean> {
  const key = keyIn(relation, row)
  if (key === undefined) return true
  const referred = haveValues(relation.references, key)
  return (yield* wait(recordsInside(session, target).count(scope, referred, 1))) > 0
}

/** The key of the record that a foreign key refers to. `undefined`: the foreign key is null. */
const keyIn = ({ fields }: Relation, values: Row): Key | undefined => {
  const key = keyValues(values, fields)
  return key.some((value) => value === undefined || value === null) ? undefined : key
}
