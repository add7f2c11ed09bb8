import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { type Issue, pointerTo } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { ownValue } from '../../model/objects.ts'
import { isForm } from '../../operation/path.ts'
import type { Steps } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Row } from '../../source/source.ts'
import type { BodyKind } from '../document/nested.ts'
import { permit } from '../parts/record.ts'
import type { NestedTarget, Rules, WriteTarget } from '../parts/resource.ts'
import { keyIn, sentKeyText } from '../parts/target.ts'
import { currentOf, foreignValues } from './below.ts'
import { type Change, collecting, locating, type NestedChanges, noRows, nothingSent } from './change.ts'
import {
  type BodyElement,
  elementKeys,
  elementsOf,
  type Planning,
  readChanges,
  withReferences,
} from './plan.ts'

type Read<Found> = (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Change>

/**
 * Reads the members of relations in addition to those of the record itself.
 *
 * @param stored reads the record that a PUT or PATCH changes
 */
export const readingNested = <Found>(
  target: WriteTarget,
  which: BodyKind,
  read: Read<Found>,
  stored: (scoped: ScopedCall, found: Found) => Steps<Row | undefined>,
): Read<Found> => {
  if (target.model.write === undefined) return read
  return function* (sent, scoped, found) {
    const targets =
      isRecord(sent) && !isForm(scoped.call)
        ? target.bodies.nested().filter(({ relation }) => Object.hasOwn(sent, relation.name))
        : []
    if (!isRecord(sent) || targets.length === 0) return yield* read(sent, scoped, found)
    const issues: Issue[] = []
    const given = targets.map((nested) => ({
      target: nested,
      elements: elementsOf(nested, which, ownValue(sent, nested.relation.name), issues),
    }))
    assertCount(target.rules, given)
    const names = targets.map(({ relation }) => relation.name)
    const own = Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))
    const body = yield* collecting(issues, [], () => read(own, scoped, found))
    const record = yield* stored(scoped, found)
    const members: NestedChanges[] = []
    for (const { target: nested, elements } of given)
      members.push(yield* readMember({ which, scoped, record, issues }, nested, elements))
    assertCount(
      target.rules,
      members.map((member) => ({ target: member.target, elements: member.all })),
    )
    if (issues.length > 0 || body === undefined) throw bodyRefusal(issues)
    const below: NestedChanges[] = []
    for (const changes of members) below.push(yield* withReferences(changes))
    return { ...body, below }
  }
}

/** @throws HttpError 422 if a body writes too many records */
const assertCount = (
  { maxChildren }: Rules,
  given: readonly { readonly target: NestedTarget; readonly elements: readonly unknown[] }[],
): void => {
  let left = maxChildren
  const beyond = given.filter(({ elements }) => {
    left -= elements.length
    return left < 0 && elements.length > 0
  })
  if (beyond.length === 0) return
  throw bodyRefusal(
    beyond.map(({ target: { relation } }) => ({
      pointer: pointerTo([relation.name]),
      code: 'too_long',
      detail: `One request may create, change and delete at most ${maxChildren} related records. Send fewer ${relation.name}.`,
    })),
  )
}

interface MemberReading {
  readonly which: BodyKind
  readonly scoped: ScopedCall
  /** The record as it is stored. `undefined`: it is new. */
  readonly record: Row | undefined
  readonly issues: Issue[]
}

function* readMember(
  { which, scoped, record, issues }: MemberReading,
  target: NestedTarget,
  elements: readonly BodyElement[],
): Steps<NestedChanges> {
  const { relation, far, isLink, otherEnd } = target
  const { scopes } = target.access
  if (otherEnd !== undefined)
    yield* locating(target, scoped.call, [relation.name], () => permit(otherEnd, 'list', scoped))
  // Shared with the copy, so that each scope runs once.
  scoped.guards ??= new Map()
  const own = { ...scoped, guard: yield* guardOf(scopes, target.model, scoped) }
  const farReach = far === undefined ? everything : yield* guardOf(scopes, scopes.modelOf(far.model), scoped)
  const isWhole = which === 'replace' || isLink
  const keys = elementKeys(target, elements, issues)
  const changes = { target, scoped: own, isWhole, farReach }
  const needsCurrent = record !== undefined && (isWhole || keys.size > 0)
  const parent = needsCurrent ? foreignValues(target, record) : {}
  const current = needsCurrent ? yield* currentOf(changes, parent, [...keys.values()]) : noRows
  const planning = { target, scoped: own, current, parent, issues }
  const sent = yield* readChanges(planning, elements, keys)
  const wanted = new Set([...keys.values()].map((key) => sentKeyText(target, key)))
  const deletes = isWhole ? yield* impliedDeletes(planning, relation.name, wanted) : []
  return { ...changes, all: [...deletes, ...sent] }
}

/** Deletes the existing records that a set does not contain. */
function* impliedDeletes(
  { target, scoped, current }: Planning,
  name: string,
  wanted: ReadonlySet<string>,
): Steps<readonly Change[]> {
  const changes: Change[] = []
  for (const [text, seen] of current.reached) {
    if (wanted.has(text)) continue
    const path = [name]
    yield* locating(target, scoped.call, path, () => permit(target.access, 'delete', scoped, seen))
    const key = keyIn(target, seen)
    changes.push({ ...nothingSent, verb: 'delete', path, key, seen })
  }
  return changes
}
