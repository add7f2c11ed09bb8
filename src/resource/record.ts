import type { CommitEvent } from '../controller/hooks.ts'
import {
  assertCaller,
  authorise,
  identify,
  needsCaller,
  type Verb,
  verbs,
} from '../controller/permissions.ts'
import { guardOf, type ScopedCall } from '../controller/scope.ts'
import { HttpError, pointerTo, problem } from '../error/errors.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { Call, Reply } from '../operation/call.ts'
import { assertNoQuery, isForm, skip } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { bodyRefusal } from '../schema/issues.ts'
import { hookResultJson } from '../schema/serialiser.ts'
import type { Awaitable, RecordStore, Row } from '../source/source.ts'
import type { Uploads } from '../upload/uploads.ts'
import { isScoped, type Resource } from './resource.ts'

export const unscoped = (call: Call): ScopedCall => ({
  call,
  since: performance.now(),
  guard: everything,
  guards: undefined,
})

type Enter = (call: Call) => Steps<ScopedCall>

/** Lets a request pass that may do this, and finds out what its caller may reach. @throws HttpError 401, 403 */
export const enter = (resource: Resource, verb: Verb): Enter => {
  const { authenticate } = resource
  const admit = admission(resource, verb)
  if (authenticate === undefined) return admit
  return function* (call) {
    identify(call, yield* authenticate(call))
    return yield* admit(call)
  }
}

/** The same once it is known who the caller is. */
export const admission = (resource: Resource, verb: Verb): Enter => {
  const { model, access, scopes } = resource
  const { act, onRecord } = verbs[verb]
  const permission = access[act]
  const isLimited = isScoped(resource)
  if (permission === 'public' && !isLimited) return (call) => wait(unscoped(call))
  const isForKnown = needsCaller(resource, act)
  return function* (call) {
    if (isForKnown) assertCaller(call)
    // A permission on a record is asked once that is found.
    else if (typeof permission === 'function' && !onRecord)
      yield* authorise(permission, { call, db: scopes.db })
    const scoped = unscoped(call)
    if (isLimited) scoped.guard = yield* guardOf(scopes, model, scoped)
    return scoped
  }
}

/**
 * Reads the key in a path. A composite key is `a,b` in key order, each part percent-encoded, so that `a%2Cb,c` is two parts.
 * Generated clients and the documentation page encode the whole key, so that a key without a comma is split at `%2C`. What
 * cannot be a key of the model, such as `abc` for an integer, is a 404.
 */
export const keyReader = (model: Model): ((raw?: string) => readonly unknown[]) => {
  const fields = model.primaryKey.map((name) => fieldOf(model, name))
  const refusal = (): Error => noSuchRecord(model)
  const readPart = (field: Field, raw: string): unknown => {
    const reading = kinds[field.kind].readText(decodedSegment(raw, refusal), field)
    if (!reading.ok) throw refusal()
    return reading.value
  }
  return (raw = '') => {
    const parts = fields.length === 1 ? [raw] : raw.split(raw.includes(',') ? ',' : /%2c/i)
    if (parts.length !== fields.length) throw refusal()
    return fields.map((field, at) => readPart(field, parts[at] ?? ''))
  }
}

export const decodedSegment = (raw: string, refusal: () => Error): string => {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    throw refusal()
  }
}

export const readParameters = (model: Model): ((call: Call) => readonly unknown[]) => {
  const readKey = keyReader(model)
  return (call) => {
    assertNoQuery(call)
    return readKey(call.params['id'])
  }
}

export const writeKey = (model: Model, row: Row): string =>
  model.primaryKey
    .map((name) => {
      const field = fieldOf(model, name)
      return encodeURIComponent(String(kinds[field.kind].write(ownValue(row, name), field)))
    })
    .join(',')

/** Bytes of a part of a key in a path. Servers and proxies take no longer URLs than 8 kB or 16 kB. */
const MAX_PART = 4000

/** @throws HttpError 422 for a key that no URL can hold: the record could not be reached any more. */
export const assertReachable = (model: Model, values: Row): void => {
  const [only = '', another] = model.primaryKey
  const refusal = (
    names: readonly string[],
    code: 'too_short' | 'too_long' | 'invalid_format',
    rule: string,
  ): Error =>
    bodyRefusal(
      names.map((name) => ({
        pointer: pointerTo([name]),
        code,
        detail: `${name} is a part of the URL of the record, and ${rule}.`,
      })),
    )
  const whole = another === undefined ? ownValue(values, only) : undefined
  if (whole === '') throw refusal([only], 'too_short', 'must not be empty')
  // Clients and proxies resolve them, however they are encoded.
  if (whole === '.' || whole === '..') throw refusal([only], 'invalid_format', 'cannot be . or ..')
  const tooLong = model.primaryKey.filter((name) => {
    const value = ownValue(values, name)
    return (
      typeof value === 'string' && 9 * value.length > MAX_PART && encodeURIComponent(value).length > MAX_PART
    )
  })
  if (tooLong.length > 0) throw refusal(tooLong, 'too_long', `takes at most ${MAX_PART} bytes there`)
}

export const noSuchRecord = (model: Model): Error => problem('not_found', `There is no such ${model.name}.`)

/** The record, once it is there. @throws HttpError 404 if there is none */
export function* existing(model: Model, row: Awaitable<Row | undefined>): Steps<Row> {
  const found = yield* wait(row)
  if (found === undefined) throw noSuchRecord(model)
  return found
}

export type Find<Found> = (key: readonly unknown[], scoped: ScopedCall) => Steps<Found>

/** Finds the record that the caller may do this with. @throws HttpError 401, 403, 404 */
export const findPermitted = (resource: Resource, verb: Verb): Find<Row> => {
  const { model, store, access } = resource
  const find: Find<Row> = (key, { guard }) => existing(model, store.read(key, guard))
  if (typeof access[verbs[verb].act] !== 'function') return find
  return function* (key, scoped) {
    return yield* authoriseRecord(resource, verb, scoped, yield* find(key, scoped))
  }
}

/** Finds the record if a hook or a permission wants to see it before anything is done, and before a form is read. */
export const findIfNeeded = (resource: Resource, verb: 'update' | 'delete'): Find<Row | undefined> => {
  const { access, controller, files } = resource
  const find = findPermitted(resource, verb)
  const { beforeUpdate, beforeDelete } = controller?.hooks ?? {}
  const hook = verb === 'update' ? beforeUpdate : beforeDelete
  if (hook !== undefined || typeof access[verb] === 'function') return find
  if (verb === 'delete' || files?.takesForm.update !== true) return skip
  // No file of a form may get into the storage for a record that is not there.
  return (key, scoped) => (isForm(scoped.call) ? find(key, scoped) : skip())
}

/** Asks a permission that is a function of the record. Others were decided before it was read. @throws HttpError 401, 403 */
export function* authoriseRecord(
  { access, source }: Resource,
  verb: Verb,
  { call }: ScopedCall,
  record: Row,
  db: unknown = source.db,
): Steps<Row> {
  const permission = access[verbs[verb].act]
  if (typeof permission === 'function') yield* authorise(permission, { call, db, record })
  return record
}

/** Whether the caller of a write may read the record. A permission that fails cannot undo what is stored: it refuses. */
export function* mayRead(
  { model, access, source }: Resource,
  { call }: ScopedCall,
  record: Row,
): Steps<boolean> {
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

/** A statement that writes, and what hooks, scopes and files have to know of it. */
export interface Write {
  readonly event: CommitEvent
  /** What is written, for creates and updates. */
  readonly values: Row
  /** The fields that come from the client: those of its body, and what a schema of the application's own made of it. */
  readonly sent: readonly string[]
  /** Of a record that is there already. */
  readonly key?: readonly unknown[]
  /** That record as it was found before, if it was. */
  readonly seen?: Row | undefined
  /** The statement. It gives the record as it is stored, or as it was. */
  readonly act: (store: RecordStore) => Steps<Row>
  readonly uploads?: Uploads | undefined
}

/** What became of a write. */
export interface Written {
  readonly record: Row
  /** What the reply shows: the record, or what a hook gave in its place. `undefined`: the caller may not read the record. */
  readonly shown: object | undefined
  /** The record as it was before, if the files that it held matter. */
  readonly before?: Row
}

export const JSON_TYPE = 'application/json'
const jsonHeaders = Object.freeze({ 'content-type': JSON_TYPE })

export const jsonReply = (body: string): Reply => ({ status: 200, headers: jsonHeaders, body })

/** What is found is not written for a client that asks for no body: its length stays unsaid (RFC 9110, 9.3.2). */
export const isHead = ({ method }: Call): boolean => method === 'HEAD'

export const headReply: Reply = Object.freeze({ status: 200, headers: jsonHeaders, body: undefined })

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

const recordText = ({ model, serialiser }: Resource, { record, shown }: Written): string | undefined =>
  shown === record ? serialiser.record(record) : shown && JSON.stringify(hookResultJson(model, shown))

export const noContent: Reply = Object.freeze({ status: 204, headers: Object.freeze({}), body: undefined })
