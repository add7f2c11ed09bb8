import { hookContext, runHook } from '../controller/hooks.ts'
import { fixedValues, type ScopedCall } from '../controller/scope.ts'
import { after } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, LONG_AGO, skip, takePath } from '../operation/path.ts'
import { andThen, type Steps, wait } from '../operation/steps.ts'
import { both, type Condition, everything } from '../query/ast.ts'
import type { Row } from '../source/source.ts'
import { beforeCreate, beforeUpdate, deleted } from './before.ts'
import {
  assertBelow,
  type Body,
  type BodyKind,
  bodyShape,
  dropIfRefused,
  filledBody,
  filledValues,
  formReader,
  namesIn,
  sentFields,
} from './body.ts'
import { type Act, operationOn, writtenSuccess } from './describe.ts'
import { withoutUnchangedFiles } from './files.ts'
import type { ModelMedia } from './model-files.ts'
import {
  admission,
  assertReachable,
  createdReply,
  type Enter,
  enter,
  existing,
  findIfNeeded,
  findPermitted,
  JSON_TYPE,
  noContent,
  readParameters,
  recordReply,
  type Write,
  type Written,
} from './record.ts'
import type { Resource } from './resource.ts'
import { togetherProblems } from './together/document.ts'
import { readingTogether } from './together/read.ts'
import { performWrite } from './transaction.ts'

/** The differences between the operations that store a body. */
interface Storing<Key, Found> {
  readonly ask: (call: Call) => Key
  readonly find: (key: Key, scoped: ScopedCall) => Steps<Found>
  readonly read: (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Body>
  readonly store: (key: Key, body: Body, scoped: ScopedCall, found: Found) => Steps<Written>
  readonly reply: (written: Written, call: Call) => Reply
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
  { narrowing }: Pick<Resource, 'narrowing'>,
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

export const storing = <Key, Found>(resource: Resource, verb: BodyKind, act: Storing<Key, Found>): Act => {
  const { read, store } = act
  const body = bodyShape(resource, verb)
  const readForm = formReader(resource, verb)
  const storeInTime = checkedIfLate(resource, admission(resource, verb), act.find, store)
  return {
    body,
    problems: togetherProblems(resource, verb),
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
  }
}

export const create = (resource: Resource): Operation =>
  operationOn(resource, 'create', creating(resource, collectionOf))

const collectionOf = ({ path }: Call): string => (path.endsWith('/') ? path.slice(0, -1) : path)

/**
 * @param collection the path of the list that the new record is in
 * @param below finds the record that the new one must belong to, and returns the values by which it does, as a condition
 */
export const creating = (
  resource: Resource,
  collection: (call: Call) => string,
  below?: (scoped: ScopedCall) => Steps<Condition>,
): Act => {
  const { model, bodies } = resource
  const read = (sent: unknown, scoped: ScopedCall, parent: Condition = everything): Steps<Body> => {
    assertBelow(model, sent, parent)
    // The parent comes last and wins: a record that the scope would make another's is refused, not moved.
    const guard = both(scoped.guard, parent)
    // A custom schema decides which fields exist.
    const filled = bodies.isCustom.create ? sent : filledBody(model, sent, guard)
    return wait(
      after(bodies.create(filled), (values) => ({
        values: filledValues(values, guard),
        sent: parent === everything ? namesIn(sent) : [...namesIn(sent), ...fixedValues(parent).keys()],
      })),
    )
  }
  return storing<void, Condition | undefined>(resource, 'create', {
    ask: assertNoQuery,
    find: (_key, scoped) => below?.(scoped) ?? skip(),
    read: readingTogether(resource, 'create', read, skip),
    store: (_key, body, scoped) =>
      andThen(beforeCreate(resource, scoped, body), (values) => {
        assertReachable(model, values)
        const write: Write = {
          event: 'create',
          values,
          uploads: body.uploads,
          sent: sentFields(body, bodies.isCustom.create),
          act: (records) => records.create(values),
        }
        return performWrite(resource, scoped, write, body.plans)
      }),
    reply: (written, call) => createdReply(resource, written, collection(call)),
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
  const stored = (scoped: ScopedCall, found: Row | undefined): Steps<Row> =>
    found === undefined ? find(readKey(scoped.call), scoped) : wait(found)
  const read = (sent: unknown, scoped: ScopedCall, found: Row | undefined): Steps<Body> =>
    media === undefined ? values(sent) : withoutFiles(media, sent, () => stored(scoped, found))
  const act = storing(resource, 'update', {
    ask: readKey,
    find: findIfNeeded(resource, 'update'),
    read: readingTogether(resource, 'update', read, stored),
    store: changing(resource, 'update', (values) => values),
    reply: (written) => recordReply(resource, written),
  })
  return operationOn(resource, 'update', act)
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
      const write: Write = {
        event: 'update',
        values,
        key,
        seen: found,
        uploads: body.uploads,
        sent: sentFields(body, bodies.isCustom[verb]),
        act: (records) => existing(model, records.update(key, values, scoped.guard)),
      }
      return performWrite(resource, scoped, write, body.plans)
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
          hook(call.request, { ...found }, hookContext(source, call)),
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
