import { needsCaller, type Verb, verbs } from '../controller/access.ts'
import { authorise } from '../controller/authorise.ts'
import type { Visit } from '../controller/visit.ts'
import { HttpError } from '../error/http-error.ts'
import type { Steps } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import type { Resource } from './resource.ts'

/** Asks a permission that is a function of the record. Others were decided before it was read. @throws HttpError 401, 403 */
export function* permit(
  { around }: Resource,
  verb: Verb,
  { call }: Visit,
  record: Row,
  db: unknown = around.source.db,
): Steps<Row> {
  const permission = around.access[verbs[verb].act]
  if (typeof permission === 'function') yield* authorise(permission, { call, db, record })
  return record
}

/** Whether every caller who may do this may read the record too. */
export const isReadToo = (around: Resource['around'], act: 'create' | 'update'): boolean =>
  around.access.read === 'public' || (around.access.read === 'authenticated' && needsCaller(around, act))

/** Whether the caller of a write may read the record. A permission that fails cannot undo what is stored: it refuses. */
export function* mayRead({ model, around }: Resource, { call }: Visit, record: Row): Steps<boolean> {
  const { access, source } = around
  if (access.read === 'public') return true
  try {
    yield* authorise(access.read, { call, db: source.db, record })
    return true
  } catch (error) {
    if (!(error instanceof HttpError))
      call.log.error(`The permission to read a ${model.name} failed, request ${call.requestId}`, error)
    return false
  }
}
