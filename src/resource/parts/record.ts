import {
  assertCaller,
  authorise,
  identify,
  needsCaller,
  type Verb,
  verbs,
} from '../../controller/permissions.ts'
import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { HttpError, pointerTo, problem } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Deletion, type Field, fieldOf, type Model } from '../../model/model.ts'
import { after, isPromise, ownValue } from '../../model/objects.ts'
import type { Call } from '../../operation/call.ts'
import { assertNoQuery, decodedSegment, isForm, LONG_AGO, skip } from '../../operation/path.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { type Awaitable, type Row, type Session, SourceError } from '../../source/source.ts'
import { heldRead } from './records.ts'
import { type Bodies, type CallerAccess, isScoped, type ModelRecords, type Resource } from './resource.ts'

export const unscoped = (call: Call): ScopedCall => ({
  call,
  since: performance.now(),
  guard: everything,
  guards: undefined,
})

export type Enter = (call: Call) => Steps<ScopedCall>

/** Authenticates the caller, checks the permission and determines the scope. @throws HttpError 401, 403 */
export const enter = (access: CallerAccess, verb: Verb): Enter => {
  const { authenticate } = access
  const admit = admission(access, verb)
  if (authenticate === undefined) return admit
  return function* (call) {
    identify(call, yield* authenticate(call))
    return yield* admit(call)
  }
}

/** The same for a caller who is already authenticated. */
export const admission = (access: CallerAccess, verb: Verb): Enter => {
  const { model, permissions, scopes, scopedEntries } = access
  const { act, onRecord } = verbs[verb]
  const permission = permissions[act]
  const isLimited = isScoped(access)
  // A scope of audit entries runs before the transaction of the write that they record.
  const entries = act === 'read' ? undefined : scopedEntries
  if (permission === 'public' && !isLimited && entries === undefined) return (call) => wait(unscoped(call))
  const isForKnown = needsCaller(access, act)
  return function* (call) {
    if (isForKnown) assertCaller(call)
    // A permission on a record is checked once the record is found.
    else if (typeof permission === 'function' && !onRecord)
      yield* authorise(access, act, { call, session: scopes.source })
    const scoped = unscoped(call)
    if (isLimited) scoped.guard = yield* guardOf(scopes, model, scoped)
    if (entries !== undefined) yield* guardOf(scopes, entries, scoped)
    return scoped
  }
}

/** The last step of a request with a body. */
type AfterBody<Key, Given, Found, Outcome> = (
  key: Key,
  given: Given,
  scoped: ScopedCall,
  found: Found,
) => Steps<Outcome>

/** Repeats the permission, scope and record of a request whose body took long to arrive, because they may have changed. */
export const checkedIfLate = <Key, Given, Found, Outcome>(
  { narrowing }: CallerAccess,
  admit: Enter,
  find: (key: Key, scoped: ScopedCall) => Steps<Found>,
  act: AfterBody<Key, Given, Found, Outcome>,
): AfterBody<Key, Given, Found, Outcome> => {
  const late = function* (key: Key, given: Given, { call }: ScopedCall): Steps<Outcome> {
    yield* narrowing?.confirm(call) ?? skip()
    const again = yield* admit(call)
    return yield* act(key, given, again, yield* find(key, again))
  }
  return (key, given, scoped, found) =>
    performance.now() - scoped.since < LONG_AGO ? act(key, given, scoped, found) : late(key, given, scoped)
}

/**
 * Reads the key in a path. A composite key is `a,b` in key order, with each part percent-encoded: `a%2Cb,c` has two parts.
 * Generated clients and the documentation page encode that once more, so a key without a comma is decoded first: for them
 * the same key is `a%252Cb%2Cc`. An impossible key, such as `abc` for an integer, returns 404.
 */
export const keyReader = (model: Model): ((raw?: string) => readonly unknown[]) => {
  const fields = model.primaryKey.map((name) => fieldOf(model, name))
  const refusal = (): Error => noSuchRecord(model)
  const readPart = (field: Field, raw: string): unknown => {
    const reading = kinds[field.kind].readText(segmentOf(raw, refusal), field)
    if (!reading.ok) throw refusal()
    return reading.value
  }
  return (raw = '') => {
    const parts = fields.length === 1 ? [raw] : (raw.includes(',') ? raw : segmentOf(raw, refusal)).split(',')
    if (parts.length !== fields.length) throw refusal()
    return fields.map((field, at) => readPart(field, parts[at] ?? ''))
  }
}

export const segmentOf = (raw: string, refusal: () => Error): string => {
  const segment = decodedSegment(raw)
  if (segment === undefined) throw refusal()
  return segment
}

export const readParameters = (model: Model): ((call: Call) => readonly unknown[]) => {
  const readKey = keyReader(model)
  return (call) => {
    assertNoQuery(call)
    return readKey(call.params['id'])
  }
}

/** The maximum length in bytes of a part of a key in a path. Servers and proxies limit URLs to 8 kB or 16 kB. */
const MAX_PART = 4000

/** @throws HttpError 422 for a key that does not fit into a URL, because the record would be unreachable */
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
        detail: `${name} ${rule}, because it is part of the URL of the record.`,
      })),
    )
  const whole = another === undefined ? ownValue(values, only) : undefined
  if (whole === '') throw refusal([only], 'too_short', 'must not be empty')
  // Clients and proxies resolve these segments, even percent-encoded.
  if (whole === '.' || whole === '..') throw refusal([only], 'invalid_format', 'must not be . or ..')
  if (typeof whole === 'number') return
  const tooLong = model.primaryKey.filter((name) => {
    const value = ownValue(values, name)
    return (
      typeof value === 'string' && 9 * value.length > MAX_PART && encodeURIComponent(value).length > MAX_PART
    )
  })
  if (tooLong.length > 0)
    throw refusal(tooLong, 'too_long', `must have at most ${MAX_PART} bytes in percent-encoded form`)
}

export const noSuchRecord = (model: Model): Error =>
  problem('not_found', `This ${model.name} does not exist.`)

/** @throws HttpError 404 if the record does not exist */
export const existing = (model: Model, row: Awaitable<Row | undefined>): Awaitable<Row> =>
  isPromise(row) ? row.then((found) => found ?? missing(model)) : (row ?? missing(model))

/**
 * The record as an update or delete left it.
 *
 * @param row `undefined`: the statement found no record
 * @param left reads the record in that case: a trigger may have made the database ignore the write
 * @throws HttpError 404; SourceError if the record exists
 */
export const changedRow = (
  model: Model,
  row: Awaitable<Row | undefined>,
  left: () => Awaitable<Row | undefined>,
): Awaitable<Row> =>
  after(
    row,
    (found): Awaitable<Row> =>
      found ??
      after(left(), (ignored) => {
        throw ignored === undefined ? noSuchRecord(model) : new SourceError('ignored')
      }),
  )

const missing = (model: Model): never => {
  throw noSuchRecord(model)
}

export type Find<Found> = (key: readonly unknown[], scoped: ScopedCall) => Steps<Found>

/** Whether the application has code that makes what responses show of this model, so that requests cannot share it. */
export const isPresented = ({
  access: { controller },
  bodies: { computed },
}: Pick<Resource, 'access' | 'bodies'>): boolean =>
  controller?.hooks.present !== undefined || computed.length > 0

/** The same for a single record that is read. */
export const isReadHooked = (resource: Pick<Resource, 'access' | 'bodies'>): boolean =>
  resource.access.controller?.hooks.afterRead !== undefined || isPresented(resource)

/** Whether that code gets the records, which are then read with all of their fields. */
export const takesWhole = (
  resource: Pick<Resource, 'access' | 'bodies'>,
  fields: readonly string[] | undefined,
): boolean =>
  resource.access.controller?.hooks.present !== undefined ||
  chosenComputed(resource.bodies, fields).length > 0

/** The computed fields that a client chose. @param fields the chosen names. @default all */
export const chosenComputed = (
  { computed }: Bodies,
  fields?: readonly string[],
): Resource['bodies']['computed'] =>
  fields === undefined ? computed : computed.filter(({ name }) => fields.includes(name))

/** Finds the record and checks the permission. @throws HttpError 401, 403, 404 */
export const findPermitted = (
  resource: Pick<Resource, 'model' | 'access' | 'records' | 'bodies'>,
  verb: Verb,
): Find<Row> => {
  const { model, access, records } = resource
  const { permissions } = access
  const isDecided = typeof permissions[verbs[verb].act] === 'function'
  const isShared = verb === 'get' && !isDecided && !isReadHooked(resource)
  const reads = isShared ? records.shared : records
  const read = (key: readonly unknown[], scoped: ScopedCall): Awaitable<Row | undefined> =>
    heldRead(records, model, scoped.call, () => reads.read(scoped, key))
  const find: Find<Row> = (key, scoped) => wait(existing(model, read(key, scoped)))
  if (!isDecided) return find
  const isHidden = permissions.read === 'authenticated'
  return function* (key, scoped) {
    const found = yield* wait(read(key, scoped))
    // Otherwise the 404 would tell anonymous callers which records exist.
    if (found === undefined && isHidden) assertCaller(scoped.call)
    return yield* authoriseRecord(access, verb, scoped, yield* wait(existing(model, found)))
  }
}

/** Finds the record if a hook or permission needs it, and before a form is read. */
export const findIfNeeded = (
  resource: Pick<Resource, 'model' | 'access' | 'records' | 'bodies'>,
  verb: 'update' | 'delete',
): Find<Row | undefined> => {
  const { permissions, controller } = resource.access
  const { files } = resource.bodies
  const find = findPermitted(resource, verb)
  const { beforeUpdate, beforeDelete } = controller?.hooks ?? {}
  const hook = verb === 'update' ? beforeUpdate : beforeDelete
  if (hook !== undefined || typeof permissions[verb] === 'function') return find
  if (verb === 'delete' || files?.takesForm.update !== true) return skip
  // Files of a form must not be stored for a record that does not exist.
  return (key, scoped) => (isForm(scoped.call) ? find(key, scoped) : skip())
}

/** Checks a permission function on the record. Others were checked before it was read. @throws HttpError 401, 403 */
export function* authoriseRecord(
  access: CallerAccess,
  verb: Verb,
  scoped: ScopedCall,
  record: Row,
  session?: Session,
): Steps<Row> {
  if (typeof access.permissions[verbs[verb].act] === 'function')
    yield* permit(access, verb, scoped, record, session)
  return record
}

/** Checks a permission as the endpoints of the model do. @throws HttpError 401, 403 */
export const permit = (
  access: CallerAccess,
  verb: Verb,
  { call }: ScopedCall,
  record?: Row,
  session: Session = access.scopes.source,
): Steps<void> => authorise(access, verbs[verb].act, { call, session, ...(record && { record }) })

/** Checks the permission `deleted`. @throws HttpError 401, 403 */
export const authoriseDeleted = (access: CallerAccess, { call }: ScopedCall): Steps<void> =>
  authorise(access, 'deleted', { call, session: access.scopes.source })

/** The records, with the deleted ones that a request asks for. @throws HttpError 401, 403 */
export function* seeingDeleted(
  { access, records }: Pick<Resource, 'access' | 'records'>,
  scoped: ScopedCall,
  deleted: Deletion,
): Steps<ModelRecords> {
  yield* authoriseDeleted(access, scoped)
  return records.seeing(deleted)
}

/**
 * Whether the caller of a write may read the record. The write is stored, so an error in the permission counts as
 * refusal.
 */
export const mayRead = (access: CallerAccess, scoped: ScopedCall, record: Row): Steps<boolean> =>
  access.permissions.read === 'public' ? wait(true) : isPermitted(access, scoped, record)

function* isPermitted(access: CallerAccess, scoped: ScopedCall, record: Row): Steps<boolean> {
  const { model, controller } = access
  const { call } = scoped
  try {
    yield* permit(access, 'get', scoped, record)
    return true
  } catch (error) {
    if (!(error instanceof HttpError))
      call.log.error(
        `The write is stored, but the permission read of ${model.name} (${controller?.place}) failed, request ${call.requestId}`,
        error,
      )
    return false
  }
}
