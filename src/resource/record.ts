import type { CommitEvent } from '../controller/hooks.ts'
import { authorise, needsCaller, type Verb, verbs } from '../controller/permissions.ts'
import type { ScopedCall } from '../controller/scope.ts'
import type { ProblemCode } from '../error/codes.ts'
import { HttpError } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { bodyProblems } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import { assertNoQuery, isForm, skip } from '../operation/path.ts'
import { writeProblems } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { hookResultJson } from '../schema/serialiser.ts'
import type { Awaitable, RecordStore, Row } from '../source/source.ts'
import type { Uploads } from '../upload/uploads.ts'
import { keyReader, noSuchRecord, writeKey } from './key.ts'
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

type Find<Found> = (key: readonly unknown[], visit: ScopedCall) => Steps<Found>

/** Finds the record that the caller may do this with. @throws HttpError 401, 403, 404 */
export const findPermitted = (resource: Resource, verb: Verb): Find<Row> => {
  const { model, store, around } = resource
  const find: Find<Row> = (key, { guard }) => existing(model, store.read(key, guard))
  if (typeof around.access[verbs[verb].act] !== 'function') return find
  return function* (key, visit) {
    return yield* authoriseRecord(resource, verb, visit, yield* find(key, visit))
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
    : skip
}

/** For a record that is not there no file of a form may get into the storage. */
const findForForm =
  (find: Find<Row>): Find<Row | undefined> =>
  (key, visit) =>
    isForm(visit.call) ? find(key, visit) : skip()

/** Problems of the acts that change one record. */
export const changeProblems: readonly ProblemCode[] = [
  ...bodyProblems,
  ...(['unknown_parameter', 'not_found', 'not_acceptable'] as const),
  ...(['unique_conflict', 'unrepresentable_value'] as const),
  ...writeProblems,
]

/** Asks a permission that is a function of the record. Others were decided before it was read. @throws HttpError 401, 403 */
export function* authoriseRecord(
  { around }: Resource,
  verb: Verb,
  { call }: ScopedCall,
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
export function* mayRead({ model, around }: Resource, { call }: ScopedCall, record: Row): Steps<boolean> {
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

/** A write at its heart. */
export interface Write {
  readonly event: CommitEvent
  /** What is written, for creates and updates. */
  readonly values: Row
  /** The fields that come from the client: those of its body, and what a schema of the application's own made of it. */
  readonly sent: readonly string[]
  /** Of a record that is there already. */
  readonly key?: readonly unknown[]
  /** That record as it was found before, where it was. */
  readonly seen?: Row | undefined
  /** The statement. It gives the record as it is stored, or as it was. */
  readonly act: (store: RecordStore) => Steps<Row>
  /** The files that came with it. */
  readonly uploads?: Uploads | undefined
}

/** What became of a write. */
export interface Written {
  readonly record: Row
  /** What the reply shows: the record, or what a hook gave in its place. `undefined`: the caller may not read the record. */
  readonly shown: object | undefined
  /** The record as it was before, where the files that it held matter. */
  readonly before?: Row
}

export const JSON_TYPE = 'application/json'
const jsonHeaders = Object.freeze({ 'content-type': JSON_TYPE })

export const jsonReply = (body: string): Reply => ({ status: 200, headers: jsonHeaders, body })

/** What is found is not written for a client that asks for no body: its length stays unsaid (RFC 9110, 9.3.2). */
export const isHead = ({ method }: Call): boolean => method === 'HEAD'

export const headReply: Reply = Object.freeze({ status: 200, headers: jsonHeaders, body: undefined })

/** A record in the detail schema. */
export const recordReply = (resource: Resource, written: Written): Reply => {
  const body = recordText(resource, written)
  return body === undefined ? noContent : jsonReply(body)
}

/** The record, and where it is found: below the path that it was sent to. */
export const createdReply = (resource: Resource, written: Written, call: Call): Reply => {
  const location = `${call.path.replace(/\/$/, '')}/${writeKey(resource.model, written.record)}`
  const body = recordText(resource, written)
  if (body === undefined) return { ...noContent, headers: { location } }
  return { status: 201, headers: { 'content-type': JSON_TYPE, location }, body }
}

const recordText = ({ model, serialiser }: Resource, { record: row, shown }: Written): string | undefined => {
  if (shown === row) return serialiser.record(row)
  return shown && JSON.stringify(hookResultJson(model, shown))
}

export const noContent: Reply = Object.freeze({ status: 204, headers: Object.freeze({}), body: undefined })
