import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { type Issue, MAX_ISSUES, pointerTo } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { ownValue } from '../../model/objects.ts'
import { isForm } from '../../operation/path.ts'
import { pauses, type Steps } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Row } from '../../source/source.ts'
import type { Body, BodyKind } from '../body.ts'
import type { Resource } from '../resource.ts'
import { changeOf, impliedDeletes, type Planning } from './changes.ts'
import { currentOf, foreignValues, keyText, noRows } from './current.ts'
import { type Element, elementsOf, hasKey, keyOf } from './elements.ts'
import { collecting } from './errors.ts'
import type { Change, Plan } from './plan.ts'
import { type Together, togetherOf } from './relations.ts'

type Read<Found> = (sent: unknown, scoped: ScopedCall, found: Found) => Steps<Body>

/**
 * Reads the members of relations in addition to those of the record itself.
 *
 * @param stored reads the record that a PUT or PATCH changes
 */
export const readingTogether = <Found>(
  resource: Resource,
  which: BodyKind,
  read: Read<Found>,
  stored: (scoped: ScopedCall, found: Found) => Steps<Row | undefined>,
): Read<Found> => {
  if (resource.model.write === undefined) return read
  return function* (sent, scoped, found) {
    const members =
      isRecord(sent) && !isForm(scoped.call)
        ? togetherOf(resource).filter(({ relation }) => Object.hasOwn(sent, relation.name))
        : []
    if (!isRecord(sent) || members.length === 0) return yield* read(sent, scoped, found)
    const issues: Issue[] = []
    const given = members.map((together) => ({
      together,
      elements: elementsOf(together, which, ownValue(sent, together.relation.name), issues),
    }))
    assertCount(resource, given)
    const names = members.map(({ relation }) => relation.name)
    const own = Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))
    const body = yield* collecting(issues, [], () => read(own, scoped, found))
    const parent = yield* stored(scoped, found)
    const plans: Plan[] = []
    for (const { together, elements } of given)
      plans.push(yield* planOf({ resource, which, scoped, parent, issues }, together, elements))
    assertCount(
      resource,
      plans.map(({ together, changes }) => ({ together, elements: changes })),
    )
    if (issues.length > 0 || body === undefined) throw bodyRefusal(issues)
    return { ...body, plans }
  }
}

/** @throws HttpError 422 if a body writes too many records */
const assertCount = (
  { maxChildren }: Resource,
  given: readonly { readonly together: Together; readonly elements: readonly unknown[] }[],
): void => {
  let left = maxChildren
  const beyond = given.filter(({ elements }) => {
    left -= elements.length
    return left < 0 && elements.length > 0
  })
  if (beyond.length === 0) return
  throw bodyRefusal(
    beyond.map(({ together: { relation } }) => ({
      pointer: pointerTo([relation.name]),
      code: 'too_long',
      detail: `One request may create, change and delete at most ${maxChildren} related records. Send fewer ${relation.name}.`,
    })),
  )
}

/** The body and record that a plan is made from. */
interface Written {
  readonly resource: Resource
  readonly which: BodyKind
  readonly scoped: ScopedCall
  readonly parent: Row | undefined
  readonly issues: Issue[]
}

function* planOf(
  { resource, which, scoped, parent, issues }: Written,
  together: Together,
  elements: readonly Element[],
): Steps<Plan> {
  const { target, relation, far } = together
  const { scopes, maxChildren } = resource
  // Shared with the copy, so that each scope runs once.
  scoped.guards ??= new Map()
  const own = { ...scoped, guard: yield* guardOf(scopes, target.model, scoped) }
  const farReach = far === undefined ? everything : yield* guardOf(scopes, scopes.modelOf(far.model), scoped)
  const isWhole = which === 'replace' || relation.through !== undefined
  const keys = keysOf(together, elements, issues)
  const plan = { together, scoped: own, isWhole, farReach }
  const needsCurrent = parent !== undefined && (isWhole || keys.size > 0)
  const values = needsCurrent ? foreignValues(together, parent) : {}
  const current = needsCurrent
    ? yield* currentOf(plan, values, [...keys.values()], target.store, maxChildren)
    : noRows
  const planning: Planning = { together, scoped: own, current, parent: values, issues }
  const changes: Change[] = []
  const pause = pauses()
  for (const element of elements) {
    if (issues.length >= MAX_ISSUES) break
    const key = keys.get(element)
    if (key === undefined && element.act !== 'create' && hasKey(together, element)) continue
    const change = yield* collecting(issues, element.path, () => changeOf(planning, element, key))
    if (change !== undefined) changes.push(change)
    yield* pause()
  }
  const wanted = new Set([...keys.values()].map((key) => keyText(together, key)))
  const deletes = isWhole ? yield* impliedDeletes(planning, wanted) : []
  return { ...plan, changes: [...deletes, ...changes] }
}

/** The keys of the elements that have one. A key that is sent twice is a mistake. */
export const keysOf = (
  together: Together,
  elements: readonly Element[],
  issues: Issue[],
): ReadonlyMap<Element, readonly unknown[]> => {
  const found = new Map<Element, readonly unknown[]>()
  const seen = new Set<string>()
  for (const element of elements) {
    if (element.act === 'create' || !hasKey(together, element)) continue
    if (issues.length >= MAX_ISSUES) break
    const key = keyOf(together, element, issues)
    if (key === undefined) continue
    const text = keyText(together, key)
    if (seen.has(text))
      issues.push({
        pointer: pointerTo(element.path),
        code: 'repeated',
        detail: 'The body contains this record more than once.',
      })
    seen.add(text)
    found.set(element, key)
  }
  return found
}
