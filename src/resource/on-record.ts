import { type Verb, verbs } from '../controller/access.ts'
import type { Visit } from '../controller/visit.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { Model } from '../model/model.ts'
import type { Call } from '../operation/call.ts'
import { assertNoQuery, isForm } from '../operation/head.ts'
import { bodyProblems } from '../operation/json-body.ts'
import { nothing } from '../operation/path.ts'
import { writeProblems } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Awaitable, Row } from '../source/source.ts'
import { keyReader, noSuchRecord } from './key.ts'
import { permit } from './permit.ts'
import type { Resource } from './resource.ts'

/** What every act on one record asks for: its key, and nothing else. */
export const askForKey = (model: Model): ((call: Call) => readonly unknown[]) => {
  const readKey = keyReader(model)
  return (call) => {
    assertNoQuery(call)
    return readKey(call.params['id'] ?? '')
  }
}

/** The record, once it is there. @throws HttpError 404 where there is none */
export function* existing(model: Model, row: Awaitable<Row | undefined>): Steps<Row> {
  const found = yield* wait(row)
  if (found === undefined) throw noSuchRecord(model)
  return found
}

type Find<Found> = (key: readonly unknown[], visit: Visit) => Steps<Found>

/** Finds the record that the caller may do this with. @throws HttpError 401, 403, 404 */
export const findPermitted = (resource: Resource, verb: Verb): Find<Row> => {
  const { model, store, around } = resource
  const find: Find<Row> = (key, { guard }) => existing(model, store.read(key, guard))
  if (typeof around.access[verbs[verb].act] !== 'function') return find
  return function* (key, visit) {
    return yield* permit(resource, verb, visit, yield* find(key, visit))
  }
}

const beforeHooks = { update: 'beforeUpdate', delete: 'beforeDelete' } as const

/** Finds the record where a hook or a permission wants to see it before anything is done, and before a form is read. */
export const findIfAsked = (resource: Resource, verb: 'update' | 'delete'): Find<Row | undefined> => {
  const { access, controller } = resource.around
  const isAsked = controller?.hooks[beforeHooks[verb]] !== undefined || typeof access[verb] === 'function'
  if (isAsked) return findPermitted(resource, verb)
  return verb === 'update' && resource.files?.takesForm.update === true
    ? findForForm(findPermitted(resource, verb))
    : nothing
}

/** For a record that is not there no file of a form may get into the storage. */
const findForForm =
  (find: Find<Row>): Find<Row | undefined> =>
  (key, visit) =>
    isForm(visit.call) ? find(key, visit) : nothing()

/** Problems of the acts that change one record. */
export const changeProblems: readonly ProblemCode[] = [
  ...bodyProblems,
  ...(['unknown_parameter', 'not_found', 'not_acceptable'] as const),
  ...(['unique_conflict', 'unrepresentable_value'] as const),
  ...writeProblems,
]
