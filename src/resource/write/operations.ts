import type { ScopedCall } from '../../controller/scope.ts'
import { readJson } from '../../operation/body.ts'
import type { Call, Reply } from '../../operation/call.ts'
import { assertNoQuery, skip, takePath } from '../../operation/path.ts'
import { assertNoOthers } from '../../operation/preconditions.ts'
import { andThen, type Steps, wait } from '../../operation/steps.ts'
import { both, type Condition, everything, fixedValues } from '../../query/ast.ts'
import type { Row } from '../../source/source.ts'
import { bodyShape } from '../document/body.ts'
import type { Act } from '../document/describe.ts'
import { creatingDescribed } from '../document/many.ts'
import { type BodyKind, nestedProblems } from '../document/nested.ts'
import { writtenSuccess } from '../document/responses.ts'
import {
  admission,
  authoriseDeleted,
  checkedIfLate,
  enter,
  findIfNeeded,
  findPermitted,
  readParameters,
} from '../parts/record.ts'
import type { Resource, WriteTarget } from '../parts/resource.ts'
import { createdReply, JSON_TYPE, noContent, recordReply } from '../show/replies.ts'
import {
  assertBelow,
  createdValues,
  dropIfRefused,
  formReader,
  replacedValues,
  updatedValues,
} from './body.ts'
import { type Change, type Changes, nothingSent, type Stored, type WriteContext } from './change.ts'
import { createAll } from './create-many.ts'
import { assertMatch, assertMatchAllowed, matchOf } from './if-match.ts'
import { assertMany, readMany } from './many.ts'
import { readingNested } from './nested.ts'
import { elementsIn, withReferences } from './plan.ts'
import { prepared } from './prepare.ts'
import { writeOne } from './run.ts'
import { shownText } from './shown.ts'

/** The differences between the operations that store a body. */
interface Storing<Key, Found> {
  readonly ask: (call: Call) => Key
  readonly find: (key: Key, scoped: ScopedCall) => Steps<Found>
  readonly read: (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Change>
  readonly write: (key: Key, change: Change, scoped: ScopedCall, found: Found) => Steps<Stored>
  readonly reply: (stored: Stored, call: Call) => Reply
  /** Whether the body may be an array. @default false */
  readonly takesArrays?: boolean
}

/** The JSON of stored records. `undefined`: the caller may not read them. */
interface ManyStored {
  readonly text: string | undefined
}

const storing = <Key, Found>(target: WriteTarget, verb: BodyKind, act: Storing<Key, Found>): Act => {
  const { access, bodies } = target
  const { read, takesArrays = false } = act
  const write = (
    key: Key,
    given: Change | Changes,
    scoped: ScopedCall,
    found: Found,
  ): Steps<Stored | ManyStored> =>
    'all' in given ? storeMany({ ...given, scoped }) : act.write(key, given, scoped, found)
  const body = bodyShape(target, verb)
  const readForm = formReader(target, verb)
  const writeInTime = checkedIfLate(access, admission(access, verb), act.find, write)
  return {
    body,
    touches: { writes: true },
    problems: nestedProblems(bodies, verb),
    ...writtenSuccess(target, verb === 'create' ? 'create' : 'update'),
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: act.ask,
      enter: enter(access, verb),
      find: act.find,
      validate: (bytes, scoped, found): Steps<Change | Changes> => {
        const sent = bytes.length === 0 && !body.required ? {} : readJson(bytes)
        return takesArrays && Array.isArray(sent)
          ? readArray(target, scoped, sent)
          : read(sent, scoped, found)
      },
      receive:
        readForm &&
        ((source, call, scoped, found) => readForm(source, call, (sent) => read(sent, scoped, found))),
      act: (key, given, scoped, found) =>
        dropIfRefused('uploads' in given ? given.uploads : undefined, () =>
          writeInTime(key, given, scoped, found),
        ),
      reply: (stored, call) => ('text' in stored ? arrayReply(stored) : act.reply(stored, call)),
    }),
  }
}

const readArray = (target: WriteTarget, scoped: ScopedCall, sent: readonly unknown[]): Steps<Changes> => {
  assertMany(target.rules, sent)
  return readMany(target, scoped, elementsIn('create', sent))
}

function* storeMany(changes: Changes): Steps<ManyStored> {
  const stored = yield* createAll(yield* withReferences(changes))
  return { text: yield* shownText(changes.target, changes.scoped, stored) }
}

const arrayReply = ({ text }: ManyStored): Reply =>
  text === undefined ? noContent : { status: 201, headers: { 'content-type': JSON_TYPE }, body: text }

/** Runs the hook of a change of the request's record, and writes it. @param found the record as it was read before */
const prepareAndWrite = (writing: WriteContext, change: Change, found?: Row): Steps<Stored> =>
  prepared(writing, change, found, writeOne)

export const collectionOf = ({ path }: Call): string => (path.endsWith('/') ? path.slice(0, -1) : path)

/**
 * @param collection the path of the list that the new record is in
 * @param below finds the record that the new one must belong to, and returns the values by which it does, as a condition
 */
export const creating = (
  target: WriteTarget,
  collection: (call: Call) => string,
  below?: (scoped: ScopedCall) => Steps<Condition>,
): Act => {
  const { model } = target
  const read = (sent: unknown, scoped: ScopedCall, parent: Condition = everything): Steps<Change> => {
    if (parent === everything) return wait(createdValues(target, scoped.guard, sent))
    assertBelow(model, sent, parent)
    // The parent comes last and wins: a record that the scope would make another's is refused, not moved.
    const values = wait(createdValues(target, both(scoped.guard, parent), sent))
    return andThen(values, (given) => wait(withParent(given, parent)))
  }
  const takesArrays = model.bulk === true && below === undefined
  const act = storing<void, Condition | undefined>(target, 'create', {
    ask: (call) => {
      assertNoQuery(call)
      assertNoOthers(call)
    },
    find: (_key, scoped) => below?.(scoped) ?? skip(),
    read: readingNested(target, 'create', read, skip),
    write: (_key, change, scoped) => prepareAndWrite({ target, scoped }, change),
    reply: (stored, call) => createdReply(target, stored, collection(call)),
    takesArrays,
  })
  return takesArrays ? creatingDescribed(target, act) : act
}

/** The path has what the body may leave out. */
const withParent = ({ sent, fields, ...rest }: Change, parent: Condition): Change => {
  const names = [...fixedValues(parent).keys()]
  return { ...rest, sent: [...sent, ...names], fields: [...fields, ...names] }
}

/** Stores the changes of a PATCH or PUT. */
const changing =
  (target: WriteTarget): Storing<readonly unknown[], Row | undefined>['write'] =>
  (key, change, scoped, found) => {
    const match = matchOf(target, scoped.call)
    return prepareAndWrite({ target, scoped }, { ...change, key, seen: found, match }, found)
  }

/** `PATCH /products/{id}`: absent fields keep their values, and an empty body changes nothing. */
export const updating = (target: WriteTarget): Act => {
  const readKey = readParameters(target.model)
  const find = findPermitted(target, 'update')
  const stored = (scoped: ScopedCall, found: Row | undefined): Steps<Row> =>
    found === undefined ? find(readKey(scoped.call), scoped) : wait(found)
  const read = (sent: unknown, scoped: ScopedCall, found: Row | undefined): Steps<Change> =>
    updatedValues(target, sent, () => stored(scoped, found))
  return storing(target, 'update', {
    ask: readConditions(target),
    find: findIfNeeded(target, 'update'),
    read: readingNested(target, 'update', read, stored),
    write: changing(target),
    reply: (written) => recordReply(target, written),
  })
}

/** `PUT /products/{id}`: replaces the record, and never creates one. */
export const replacing = (target: WriteTarget): Act => {
  const read = function* (sent: unknown, scoped: ScopedCall, found: Row): Steps<Change> {
    // Otherwise read-only fields that have changed, such as the version, would be refused instead.
    const match = matchOf(target, scoped.call)
    assertMatch(match, found)
    // A refusal of the body would tell that the tag is right.
    yield* assertMatchAllowed(target, scoped, { match, seen: found })
    return yield* replacedValues(target, scoped, sent, found)
  }
  return storing(target, 'replace', {
    ask: readConditions(target),
    find: findPermitted(target, 'replace'),
    read: readingNested(target, 'replace', read, (_scoped, found) => wait(found)),
    write: changing(target),
    reply: (written) => recordReply(target, written),
  })
}

/** Reads the key in the path, and the conditions in the headers. */
const readConditions = (
  resource: Pick<Resource, 'model' | 'records' | 'bodies'>,
): ((call: Call) => readonly unknown[]) => {
  const readKey = readParameters(resource.model)
  return (call) => {
    const key = readKey(call)
    matchOf(resource, call)
    return key
  }
}

/** `DELETE /products/{id}`: a second request returns 404. A body is ignored. */
export const deleting = (target: WriteTarget): Act => ({
  success: { status: 204, description: 'The record was deleted.' },
  problems: target.model.softDelete === undefined ? ['still_referenced'] : [],
  run: takePath({
    ask: readConditions(target),
    enter: enter(target.access, 'delete'),
    find: findIfNeeded(target, 'delete'),
    validate: skip,
    act: (key, _input, scoped, found) => {
      const match = matchOf(target, scoped.call)
      const change = { ...nothingSent, verb: 'delete' as const, path: [], key, seen: found, match }
      return prepareAndWrite({ target, scoped }, change, found)
    },
    reply: () => noContent,
  }),
})

/**
 * `POST /products/{id}/restore`: an update that clears the time of the deletion. A record that is not deleted returns 404. A body is
 * ignored.
 *
 * @param field the column that holds that time
 */
export const restoring = (whole: WriteTarget, field: string): Act => {
  const { access, records } = whole
  const find = findPermitted({ ...whole, records: records.seeing('only') }, 'update')
  const target = { ...whole, records: records.seeing('with') }
  return {
    ...writtenSuccess(target, 'update'),
    problems: ['unique_conflict', 'forbidden', 'unauthenticated'],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: readConditions(target),
      enter: enter(access, 'update'),
      *find(key, scoped) {
        yield* authoriseDeleted(access, scoped)
        return yield* find(key, scoped)
      },
      validate: skip,
      act: (key, _input, scoped, found) => {
        const among: Condition = { op: 'is-not-null', field }
        const match = matchOf(target, scoped.call)
        const restored = { verb: 'restore' as const, path: [], key, seen: found, match }
        return prepareAndWrite(
          { target, scoped, among },
          { ...nothingSent, ...restored, values: { [field]: null } },
          found,
        )
      },
      reply: (stored) => recordReply(target, stored),
    }),
  }
}
