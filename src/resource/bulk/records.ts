import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, MAX_ISSUES, pointerTo, problem, StartError } from '../../error/errors.ts'
import { fieldOf, type Model } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import { hasOperation, isWritten } from '../../model/operations.ts'
import { pauses, type Steps } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { assertTransactions } from '../../source/source.ts'
import { namingDeletedAmong } from '../deleted.ts'
import type { Write } from '../record.ts'
import { boundReferences } from '../references.ts'
import type { Resource } from '../resource.ts'
import type { Element } from '../together/elements.ts'
import { type About, collecting, locating } from '../together/errors.ts'
import type { Change, Plan } from '../together/plan.ts'
import { assertInTransaction, type Together } from '../together/relations.ts'
import type { Whole } from '../together/write.ts'
import { writingWhole } from '../transaction.ts'

/** The records of a model as a body has several of them: like those of a relation, but without a parent. */
export const recordsOf: (resource: Resource) => Together & About = onceFor((resource: Resource) => {
  const { model } = resource
  return {
    relation: { name: '', kind: 'to-many', model: model.name, fields: [], references: [], inverse: '' },
    ...{ target: resource, part: resource, foreign: [], references: [] },
    keys: model.primaryKey.map((name) => fieldOf(model, name)),
    missing: (path) => missingAt(model, [path]),
  }
})

/** Whether clients may choose records by a filter, whose number tells as much as a list. */
export const takesFilters = (model: Model): boolean => hasOperation(model, 'list')

/** The error for records of a body that do not exist. @param paths where the body has them */
export const missingAt = (model: Model, paths: readonly (readonly PropertyKey[])[]): Error => {
  const detail = `This ${model.name} does not exist.`
  const errors = paths.map((path): Issue => ({ pointer: pointerTo(path), code: 'not_found', detail }))
  return problem('not_found', detail, { errors })
}

/** @throws HttpError 400 for an array without records, or with too many */
export const assertMany = ({ bulkMax }: Resource, { length }: readonly unknown[]): void => {
  if (length === 0) throw problem('no_records', 'The array must contain at least one record.')
  if (length > bulkMax)
    throw problem(
      'too_many_records',
      `The array has ${length} records. One request may write at most ${bulkMax}.`,
    )
}

export const elementsOf = (act: Element['act'], sent: readonly unknown[]): readonly Element[] =>
  sent.map((each, at) => ({ act, sent: each, path: [at] }))

/**
 * Reads the elements of an array, one after the other.
 *
 * @param read returns `undefined` for an element that is not valid, as `issues` say
 * @throws HttpError 422 that names the mistakes of all elements
 */
export function* readAll<T>(
  resource: Resource,
  { call }: ScopedCall,
  elements: readonly Element[],
  read: (element: Element, issues: Issue[]) => Steps<T | undefined>,
): Steps<readonly T[]> {
  const records = recordsOf(resource)
  const issues: Issue[] = []
  const all: T[] = []
  const pause = pauses()
  for (const element of elements) {
    if (issues.length >= MAX_ISSUES) break
    const one = yield* collecting(issues, [], () =>
      locating(records, call, element.path, read(element, issues)),
    )
    if (one !== undefined) all.push(one)
    yield* pause()
  }
  if (issues.length > 0) throw bodyRefusal(issues)
  return all
}

/** The changes, with the foreign keys that must refer to records in scope. */
export function* planOf(
  resource: Resource,
  scoped: ScopedCall,
  given: readonly Omit<Change, 'references'>[],
): Steps<Plan> {
  const changes: Change[] = []
  for (const change of given) {
    const isBound = change.verb !== 'delete' && resource.scopedReferences.length > 0
    const references = isBound ? yield* boundReferences(resource, scoped, change) : []
    changes.push({ ...change, references })
  }
  return { together: recordsOf(resource), scoped, changes, isWhole: false, farReach: everything }
}

/** Writes records in one transaction. @param work calls `refused` with the write that is refused */
export const writingMany = <T>(
  resource: Resource,
  scoped: ScopedCall,
  work: (whole: Whole, refused: (write: Write) => void) => Steps<T>,
): Steps<T> =>
  namingDeletedAmong(resource, scoped, (refused) => writingWhole(resource, (whole) => work(whole, refused)))

/** @throws StartError if `modelConfig.X.bulk` has no effect, or its writes could not be all or none */
export const assertBulk = (resource: Resource): void => {
  const { model, source } = resource
  if (model.bulk !== true) return
  const place = `modelConfig.${model.name}.bulk`
  if (!isWritten(model))
    throw new StartError(`${place} has no effect because clients cannot write ${model.name}. Remove it.`)
  if (!hasOperation(model, 'create') && !hasOperation(model, 'update') && !takesFilters(model))
    throw new StartError(
      `${place} has no effect because clients do not have the list of ${model.name}, so they cannot choose records by a filter. Remove it, or add list to modelConfig.${model.name}.operations.`,
    )
  assertTransactions(source, `${place} needs`)
  assertInTransaction(place, resource, 'remove bulk')
}
