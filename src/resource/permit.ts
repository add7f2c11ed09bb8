import { type Verb, verbs } from '../controller/access.ts'
import { authorise } from '../controller/authorise.ts'
import type { Visit } from '../controller/visit.ts'
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
