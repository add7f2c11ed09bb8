import { type Controller, hookContext, runHook, useResult } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { after } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, LONG_AGO, skip, takePath } from '../operation/path.ts'
import { andThen, type Steps, wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import type { Awaitable, RecordStore, Row } from '../source/source.ts'
import {
  type Body,
  type BodyKind,
  bodyShape,
  dropIfRefused,
  filledBody,
  filledValues,
  formReader,
  namesIn,
  sentFields,
  withUploads,
} from './body.ts'
import { operationOn, writtenSuccess } from './describe.ts'
import { withoutHeldFiles, withoutUnchangedFiles } from './files.ts'
import {
  admission,
  assertReachable,
  createdReply,
  enter,
  existing,
  findIfNeeded,
  findPermitted,
  JSON_TYPE,
  noContent,
  noSuchRecord,
  readParameters,
  recordReply,
  type Written,
} from './record.ts'
import type { ModelMedia, Resource } from './resource.ts'
import { performWrite } from './transaction.ts'

/** The differences between the operations that store a body. */
interface Storing<Key, Found> {
  readonly ask: (call: Call) => Key
  readonly find: (key: Key, scoped: ScopedCall) => Steps<Found>
  readonly read: (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Body>
  readonly store: (key: Key, body: Body, scoped: ScopedCall, found: Found) => Steps<Written>
  readonly reply: (written: Written, call: Call) => Reply
}

export const storing = <Key, Found>(
  resource: Resource,
  verb: BodyKind,
  act: Storing<Key, Found>,
): Operation => {
  const { read, store } = act
  const body = bodyShape(resource, verb)
  const readForm = formReader(resource, verb)
  const admit = admission(resource, verb)
  const storeLate = function* (key: Key, given: Body, { call }: ScopedCall): Steps<Written> {
    const again = yield* admit(call)
    return yield* store(key, given, again, yield* act.find(key, again))
  }
  const storeInTime: typeof store = (key, given, scoped, found) =>
    performance.now() - scoped.since < LONG_AGO
      ? store(key, given, scoped, found)
      : storeLate(key, given, scoped)
  return operationOn(resource, verb, {
    body,
    ...writtenSuccess(resource, verb === 'create' ? 'create' : 'update'),
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: act.ask,
      enter: enter(resource, verb),
      find: act.find,
      validate: (bytes, scoped, found) =>
        read(bytes.length === 0 && !body.required ? {} : readJson(bytes), scoped, found),
      receive:
        readForm &&
        ((source, call, scoped, found) => readForm(source, call, (sent) => read(sent, scoped, found))),
      act: (key, given, scoped, found) =>
        dropIfRefused(given.uploads, () => storeInTime(key, given, scoped, found)),
      reply: act.reply,
    }),
  })
}

export const create = (resource: Resource): Operation => {
  const { model, bodies } = resource
  return storing(resource, 'create', {
    ask: assertNoQuery,
    find: skip,
    read: (sent, { guard }) => {
      // A custom schema decides which fields exist.
      const filled = bodies.isCustom.create ? sent : filledBody(model, sent, guard)
      return wait(
        after(bodies.create(filled), (values) => ({
          values: filledValues(values, guard),
          sent: namesIn(sent),
        })),
      )
    },
    store: (_key, body, scoped) =>
      andThen(beforeCreate(resource, scoped, body), (values) => {
        assertReachable(model, values)
        return performWrite(resource, scoped, {
          event: 'create',
          values,
          uploads: body.uploads,
          sent: sentFields(body, bodies.isCustom.create),
          act: (records) => records.create(values),
        })
      }),
    reply: (written, call) => createdReply(resource, written, call),
  })
}

/** `PATCH /products/{id}`: absent fields keep their values, and an empty body changes nothing. */
export const update = (resource: Resource): Operation => {
  const { model, media, bodies } = resource
  const readKey = readParameters(model)
  const find = findPermitted(resource, 'update')
  const values = (sent: unknown): Steps<Body> =>
    wait(after(bodies.update(sent), (values) => ({ values, sent: namesIn(sent) })))
  const withoutFiles = function* (media: ModelMedia, sent: unknown, stored: () => Steps<Row>): Steps<Body> {
    return yield* values(yield* withoutUnchangedFiles(resource, media, sent, stored))
  }
  return storing(resource, 'update', {
    ask: readKey,
    find: findIfNeeded(resource, 'update'),
    read: (sent, scoped, found) => {
      if (media === undefined) return values(sent)
      const stored = (): Steps<Row> =>
        found === undefined ? find(readKey(scoped.call), scoped) : wait(found)
      return withoutFiles(media, sent, stored)
    },
    store: changing(resource, 'update', (values) => values),
    reply: (written) => recordReply(resource, written),
  })
}

/** Stores the changes of a PATCH or PUT. @param complete adds the fields that a PUT resets */
export const changing = (
  resource: Resource,
  verb: 'update' | 'replace',
  complete: (values: Row) => Row,
): Storing<readonly unknown[], Row | undefined>['store'] => {
  const { model, bodies } = resource
  return (key, body, scoped, found) =>
    andThen(beforeUpdate(resource, scoped, body, found), (given) => {
      const values = complete(given)
      return performWrite(resource, scoped, {
        event: 'update',
        values,
        key,
        seen: found,
        uploads: body.uploads,
        sent: sentFields(body, bodies.isCustom[verb]),
        act: (records) => existing(model, records.update(key, values, scoped.guard)),
      })
    })
}

/** The values to store: the payload or the result of the hook, checked against the columns. */
const beforeCreate = (resource: Resource, { call }: ScopedCall, body: Body): Steps<Row> => {
  const { controller, columns, bodies } = resource
  if (controller?.hooks.beforeCreate !== undefined) return hookedCreate(resource, controller, call, body)
  if (!bodies.isCustom.create) return wait(body.values)
  return wait(columns.create.parse(withUploads(body.values, body.uploads), body.sent))
}

function* hookedCreate(
  { columns, source }: Resource,
  controller: Controller,
  call: Call,
  { values, sent, uploads }: Body,
): Steps<Row> {
  const payload = { ...withUploads(values, uploads) }
  const given = yield* runHook(controller, 'beforeCreate', call, (hook) =>
    hook(call.request, payload, columns.create, hookContext(source.db, call)),
  )
  return useResult(controller, 'beforeCreate', call, () =>
    columns.create.parse(withUploads(given ?? payload, uploads), sent),
  )
}

const beforeUpdate = (
  resource: Resource,
  { call }: ScopedCall,
  body: Body,
  found: Row | undefined,
): Steps<Row> => {
  const { controller, columns, bodies } = resource
  if (controller?.hooks.beforeUpdate !== undefined)
    return hookedUpdate(resource, controller, call, body, found)
  if (!bodies.isCustom.update) return wait(body.values)
  return wait(columns.update.parse(withUploads(body.values, body.uploads), body.sent))
}

function* hookedUpdate(
  { columns, files, source }: Resource,
  controller: Controller,
  call: Call,
  { values, sent, uploads }: Body,
  found: Row | undefined,
): Steps<Row> {
  const payload = { ...withUploads(values, uploads) }
  const given = yield* runHook(controller, 'beforeUpdate', call, (hook) =>
    hook(call.request, { ...found }, payload, columns.update, hookContext(source.db, call)),
  )
  return useResult(controller, 'beforeUpdate', call, () => {
    const stored = withUploads(given ?? payload, uploads)
    return columns.update.parse(files === undefined ? stored : withoutHeldFiles(files, stored, found), sent)
  })
}

/** `DELETE /products/{id}`: a second request is a 404. A body is ignored. */
export const remove = (resource: Resource): Operation => {
  const { model, controller, source } = resource
  return operationOn(resource, 'delete', {
    success: { status: 204, description: 'The record was deleted.' },
    problems: ['still_referenced'],
    run: takePath({
      ask: readParameters(model),
      enter: enter(resource, 'delete'),
      find: findIfNeeded(resource, 'delete'),
      validate: skip,
      *act(key, _input, scoped, found) {
        const { call, guard } = scoped
        yield* runHook(controller, 'beforeDelete', call, (hook) =>
          hook(call.request, { ...found }, hookContext(source.db, call)),
        )
        yield* performWrite(resource, scoped, {
          event: 'delete',
          values: {},
          sent: [],
          key,
          seen: found,
          act: (records) => deleted(resource, key, guard, records),
        })
      },
      reply: () => noContent,
    }),
  })
}

/** Reads the record only for hooks and files, so that a record with unrepresentable values can be deleted too. */
const deleted = (
  { model, files, controller }: Resource,
  key: readonly unknown[],
  guard: Condition,
  records: RecordStore,
): Awaitable<Row> => {
  const { afterDelete, afterCommit } = controller?.hooks ?? {}
  const hasFiles = files !== undefined && files.fields.length > 0
  if (afterDelete !== undefined || afterCommit !== undefined || hasFiles)
    return existing(model, records.take(key, guard))
  return after(records.remove(key, guard), (isRemoved) => {
    if (!isRemoved) throw noSuchRecord(model)
    return {}
  })
}
