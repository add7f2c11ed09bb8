import { hookContext, runHook } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { after } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, LONG_AGO, skip, takePath } from '../operation/path.ts'
import { assertNoOthers } from '../operation/preconditions.ts'
import { andThen, type Steps, wait } from '../operation/steps.ts'
import { both, type Condition, everything, fixedValues } from '../query/ast.ts'
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
import { type CreatingMany, creatingMany, type NewRecords, type StoredRecords } from './bulk/create.ts'
import { creatingDescribed } from './bulk/document.ts'
import { type Act, operationOn, writtenSuccess } from './describe.ts'
import { withoutUnchangedFiles } from './files.ts'
import { matchOf, onMatch } from './if-match.ts'
import type { ModelMedia } from './model-files.ts'
import {
  admission,
  assertReachable,
  type Enter,
  enter,
  findIfNeeded,
  findPermitted,
  JSON_TYPE,
  readParameters,
  type Write,
  type Written,
} from './record.ts'
import { createdReply, noContent, recordReply } from './replies.ts'
import type { Resource } from './resource.ts'
import { togetherProblems } from './together/document.ts'
import { readingTogether } from './together/read.ts'
import { touching } from './touched.ts'
import { performWrite } from './transaction.ts'

/** The differences between the operations that store a body. */
interface Storing<Key, Found> {
  readonly ask: (call: Call) => Key
  readonly find: (key: Key, scoped: ScopedCall) => Steps<Found>
  readonly read: (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Body>
  readonly store: (key: Key, body: Body, scoped: ScopedCall, found: Found) => Steps<Written>
  readonly reply: (written: Written, call: Call) => Reply
  /** For a body that is an array. Absent: it is refused. */
  readonly many?: CreatingMany | undefined
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
  const { read, many } = act
  const store: AfterBody<Key, Body | NewRecords, Found, Written | StoredRecords> = (
    key,
    given,
    scoped,
    found,
  ) =>
    'changes' in given ? (many as CreatingMany).store(given, scoped) : act.store(key, given, scoped, found)
  const body = bodyShape(resource, verb)
  const readForm = formReader(resource, verb)
  const storeInTime = checkedIfLate(resource, admission(resource, verb), act.find, store)
  return {
    body,
    models: touching(resource, { writes: true }),
    problems: togetherProblems(resource, verb),
    ...writtenSuccess(resource, verb === 'create' ? 'create' : 'update'),
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: act.ask,
      enter: enter(resource, verb),
      find: act.find,
      validate: (bytes, scoped, found): Steps<Body | NewRecords> => {
        const sent = bytes.length === 0 && !body.required ? {} : readJson(bytes)
        return many !== undefined && Array.isArray(sent) ? many.read(sent, scoped) : read(sent, scoped, found)
      },
      receive:
        readForm &&
        ((source, call, scoped, found) => readForm(source, call, (sent) => read(sent, scoped, found))),
      act: (key, given, scoped, found) =>
        dropIfRefused('uploads' in given ? given.uploads : undefined, () =>
          storeInTime(key, given, scoped, found),
        ),
      reply: (stored, call) =>
        'text' in stored ? (many as CreatingMany).reply(stored, call) : act.reply(stored, call),
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
  const isMany = model.bulk === true && below === undefined
  const act = storing<void, Condition | undefined>(resource, 'create', {
    ask: (call) => {
      assertNoQuery(call)
      assertNoOthers(call)
    },
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
    ...(isMany && { many: creatingMany(resource) }),
  })
  return isMany ? creatingDescribed(resource, act) : act
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
    ask: readConditions(resource),
    find: findIfNeeded(resource, 'update'),
    read: readingTogether(resource, 'update', read, stored),
    store: changing(resource, 'update', (values) => values),
    reply: (written) => recordReply(resource, written),
  })
  return operationOn(resource, 'update', act)
}

/** Reads the key in the path, and the conditions in the headers. */
export const readConditions = (resource: Resource): ((call: Call) => readonly unknown[]) => {
  const readKey = readParameters(resource.model)
  return (call) => {
    const key = readKey(call)
    matchOf(resource, call)
    return key
  }
}

/** A body with related records changes the record too. */
const versioned = ({ version }: Resource['model'], values: Row, { plans }: Body): Row =>
  version === undefined || plans === undefined ? values : { ...values, [version]: undefined }

/** Stores the changes of a PATCH or PUT. @param complete adds the fields that a PUT resets */
export const changing = (
  resource: Resource,
  verb: 'update' | 'replace',
  complete: (values: Row) => Row,
): Storing<readonly unknown[], Row | undefined>['store'] => {
  const { model, bodies } = resource
  return (key, body, scoped, found) =>
    andThen(beforeUpdate(resource, scoped, body, found, complete), (given) => {
      const match = matchOf(resource, scoped.call)
      const values = versioned(model, given, body)
      const write: Write = {
        event: 'update',
        values,
        key,
        seen: found,
        uploads: body.uploads,
        sent: sentFields(body, bodies.isCustom[verb]),
        match,
        act: onMatch(resource, { key, guard: scoped.guard, match }, (records, guard) =>
          records.update(key, values, guard),
        ),
      }
      return performWrite(resource, scoped, write, body.plans)
    })
}

/** `DELETE /products/{id}`: a second request returns 404. A body is ignored. */
export const remove = (resource: Resource): Operation => {
  const { model, controller, source } = resource
  return operationOn(resource, 'delete', {
    success: { status: 204, description: 'The record was deleted.' },
    problems: model.softDelete === undefined ? ['still_referenced'] : [],
    run: takePath({
      ask: readConditions(resource),
      enter: enter(resource, 'delete'),
      find: findIfNeeded(resource, 'delete'),
      validate: skip,
      *act(key, _input, scoped, found) {
        const { call, guard } = scoped
        yield* runHook(controller, 'beforeDelete', call, (hook) =>
          hook(call.request, { ...found }, hookContext(source, call)),
        )
        const match = matchOf(resource, call)
        yield* performWrite(resource, scoped, {
          event: 'delete',
          values: {},
          sent: [],
          key,
          seen: found,
          match,
          act: onMatch(resource, { key, guard, match }, (records, guarded) =>
            deleted(resource, key, guarded, records),
          ),
        })
      },
      reply: () => noContent,
    }),
  })
}
