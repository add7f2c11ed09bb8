import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { type Issue, pointerTo } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { ownValue } from '../../model/objects.ts'
import { isForm } from '../../operation/path.ts'
import type { Steps } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Row } from '../../source/source.ts'
import type { BodyKind } from '../document/body.ts'
import type { Resource, Rules } from '../parts/resource.ts'
import { type NestedTarget, nestedOf } from '../parts/target.ts'
import { nothingSent } from './body.ts'
import type { Change, NestedChanges } from './change.ts'
import { currentOf, foreignValues, noRows } from './current.ts'
import { type BodyElement, elementKeys, elementsOf } from './elements.ts'
import { keyIn, sentKeyText } from './keys.ts'
import { collecting, locating } from './places.ts'
import { type Planning, permit, readChanges, withReferences } from './plan.ts'

type Read<Found> = (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Change>

/**
 * Reads the members of relations in addition to those of the record itself.
 *
 * @param stored reads the record that a PUT or PATCH changes
 */
export const readingNested = <Found>(
  resource: Resource,
  which: BodyKind,
  read: Read<Found>,
  stored: (scoped: ScopedCall, found: Found) => Steps<Row | undefined>,
): Read<Found> => {
  if (resource.model.write === undefined) return read
  return function* (sent, scoped, found) {
    const targets =
      isRecord(sent) && !isForm(scoped.call)
        ? nestedOf(resource).filter(({ relation }) => Object.hasOwn(sent, relation.name))
        : []
    if (!isRecord(sent) || targets.length === 0) return yield* read(sent, scoped, found)
    const issues: Issue[] = []
    const given = targets.map((target) => ({
      target,
      elements: elementsOf(target, which, ownValue(sent, target.relation.name), issues),
    }))
    assertCount(resource.rules, given)
    const names = targets.map(({ relation }) => relation.name)
    const own = Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))
    const body = yield* collecting(issues, [], () => read(own, scoped, found))
    const record = yield* stored(scoped, found)
    const members: NestedChanges[] = []
    for (const { target, elements } of given)
      members.push(yield* readMember({ resource, which, scoped, record, issues }, target, elements))
    assertCount(
      resource.rules,
      members.map(({ target, all }) => ({ target, elements: all })),
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
  readonly resource: Resource
  readonly which: BodyKind
  readonly scoped: ScopedCall
  /** The record as it is stored. `undefined`: it is new. */
  readonly record: Row | undefined
  readonly issues: Issue[]
}

function* readMember(
  { resource, which, scoped, record, issues }: MemberReading,
  target: NestedTarget,
  elements: readonly BodyElement[],
): Steps<NestedChanges> {
  const { relation, far, isLink } = target
  const { scopes } = resource.access
  // Shared with the copy, so that each scope runs once.
  scoped.guards ??= new Map()
  const own = { ...scoped, guard: yield* guardOf(scopes, target.resource.model, scoped) }
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
  const { resource } = target
  const changes: Change[] = []
  for (const [text, seen] of current.reached) {
    if (wanted.has(text)) continue
    const path = [name]
    yield* locating(target, scoped.call, path, () => permit(resource, 'delete', scoped, seen))
    const key = keyIn(target, seen)
    changes.push({ ...nothingSent, verb: 'delete', path, key, seen })
  }
  return changes
}
