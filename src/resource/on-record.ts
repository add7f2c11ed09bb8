import type { Visit } from '../controller/visit.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { Model } from '../model/model.ts'
import type { Call } from '../operation/call.ts'
import { assertNoQuery } from '../operation/head.ts'
import { nothing } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Awaitable, Row } from '../source/source.ts'
import { bodyProblems } from './describe.ts'
import { noSuchRecord, readKey } from './key.ts'
import type { Resource } from './resource.ts'

/** What every act on one record asks for: its key, and nothing else. */
export const askForKey =
  (model: Model) =>
  (call: Call): readonly unknown[] => {
    assertNoQuery(call)
    return readKey(model, call.params['id'] ?? '')
  }

/** The record, once it is there. @throws HttpError 404 where there is none */
export function* existing(model: Model, row: Awaitable<Row | undefined>): Steps<Row> {
  const found = yield* wait(row)
  if (found === undefined) throw noSuchRecord(model)
  return found
}

/** Finds the record where a hook wants to see it before anything is done. */
export const findForHook =
  ({ model, store, around }: Resource, name: 'beforeUpdate' | 'beforeDelete') =>
  (key: readonly unknown[], { guard }: Visit): Steps<Row | undefined> =>
    around.controller?.hooks[name] === undefined ? nothing() : existing(model, store.read(key, guard))

/** Problems of the acts that change one record. */
export const changeProblems: readonly ProblemCode[] = [
  ...bodyProblems,
  ...(['unknown_parameter', 'not_found', 'not_acceptable'] as const),
  ...(['unique_conflict', 'unrepresentable_value', 'unavailable'] as const),
]
