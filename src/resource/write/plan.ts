import type { Verb } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, MAX_ISSUES, pointerTo } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { kinds } from '../../model/kinds/index.ts'
import { isStorable } from '../../model/kinds/text.ts'
import type { Field } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { pauses, type Steps, wait } from '../../operation/steps.ts'
import { detailOf, unwritableKeyIssue } from '../../schema/issues.ts'
import { membersOf } from '../../schema/members.ts'
import type { Row } from '../../source/source.ts'
import type { BodyKind } from '../document/nested.ts'
import { permit } from '../parts/record.ts'
import type { NestedTarget, Path, WriteTarget } from '../parts/resource.ts'
import { missing, sentKeyText } from '../parts/target.ts'
import {
  createdValues,
  filledValues,
  replacedValues,
  updatedValues,
  withoutForeign,
  withoutNames,
} from './body.ts'
import { type Change, type Changes, type Current, collecting, locating, nothingSent } from './change.ts'
import { boundReferences } from './references.ts'

/** An element of a body: the values of a related record, or its key. */
export interface BodyElement {
  /** `write` creates or replaces. */
  readonly act: 'create' | 'write' | 'update' | 'delete' | 'link'
  readonly sent: unknown
  readonly path: Path
}

const sections = ['create', 'update', 'delete'] as const

/** The elements of a body that is an array. */
export const elementsIn = (act: BodyElement['act'], sent: readonly unknown[]): readonly BodyElement[] =>
  sent.map((each, at) => ({ act, sent: each, path: [at] }))

/** The elements of a member of a body, without looking inside. Mistakes in its form go to `issues`. */
export const elementsOf = (
  { relation: { name }, isLink }: NestedTarget,
  which: BodyKind,
  member: unknown,
  issues: Issue[],
): readonly BodyElement[] => {
  if (isLink) return listed('link', member, [name], issues)
  if (which !== 'update') return listed(which === 'create' ? 'create' : 'write', member, [name], issues)
  if (!isRecord(member)) {
    issues.push(wrongType([name], member, 'an object with the members create, update and delete'))
    return []
  }
  return Object.entries(member).flatMap(([key, elements]) => {
    const act = sections.find((known) => known === key)
    if (act !== undefined) return listed(act, elements, [name, key], issues)
    issues.push(unwritableKeyIssue(key, undefined, [name]))
    return []
  })
}

const listed = (
  act: BodyElement['act'],
  list: unknown,
  path: Path,
  issues: Issue[],
): readonly BodyElement[] => {
  if (Array.isArray(list)) return list.map((sent, at) => ({ act, sent, path: [...path, at] }))
  issues.push(wrongType(path, list, 'an array'))
  return []
}

/** @param expected after "must be" */
export const wrongType = (path: Path, given: unknown, expected: string): Issue => {
  const code = given === null ? 'not_nullable' : 'wrong_type'
  return { pointer: pointerTo(path), code, detail: detailOf(code, path, `must be ${expected}.`) }
}

/** The keys of the elements that have one. A key that is sent twice is a mistake. */
export const elementKeys = (
  target: WriteTarget,
  elements: readonly BodyElement[],
  issues: Issue[],
): ReadonlyMap<BodyElement, readonly unknown[]> => {
  const found = new Map<BodyElement, readonly unknown[]>()
  const seen = new Set<string>()
  for (const element of elements) {
    if (element.act === 'create' || !hasKey(target, element)) continue
    if (issues.length >= MAX_ISSUES) break
    const key = keyOf(target, element, issues)
    if (key === undefined) continue
    const text = sentKeyText(target, key)
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

/** Whether an element has a key of its own: all fields by which a parent tells its records apart. */
const hasKey = ({ keys }: WriteTarget, { act, sent }: BodyElement): boolean =>
  act !== 'write' || (isRecord(sent) && keys.every(({ name }) => (ownValue(sent, name) ?? null) !== null))

/** The key of an element, in the form of its fields. `undefined`: it is not valid, as `issues` say. */
const keyOf = (
  { keys }: Pick<WriteTarget, 'keys'>,
  { act, sent, path }: BodyElement,
  issues: Issue[],
): readonly unknown[] | undefined => {
  const isAlone = act === 'delete' || act === 'link'
  if (
    isAlone ? keys.length !== 1 && !(Array.isArray(sent) && sent.length === keys.length) : !isRecord(sent)
  ) {
    const expected = isAlone ? `an array of ${keys.map(({ name }) => name).join(' and ')}` : 'a JSON object'
    issues.push(wrongType(path, sent, expected))
    return undefined
  }
  const before = issues.length
  const values = keys.map((field, at) => {
    if (!isAlone) return keyValue(field, ownValue(Object(sent), field.name), [...path, field.name], issues)
    return keys.length === 1
      ? keyValue(field, sent, path, issues)
      : keyValue(field, Object(sent)[at], [...path, at], issues)
  })
  return issues.length === before ? values : undefined
}

const keyValue = (field: Field, sent: unknown, path: Path, issues: Issue[]): unknown => {
  const { noun, read } = kinds[field.kind]
  const reading = sent === undefined || sent === null ? undefined : read(sent, field)
  if (reading?.ok && !(typeof reading.value === 'string' && !isStorable(reading.value))) return reading.value
  const code =
    reading === undefined
      ? sent === null
        ? 'not_nullable'
        : 'required'
      : reading.ok
        ? 'invalid_format'
        : reading.code
  const expected = reading === undefined || reading.ok ? noun : reading.expected
  issues.push({ pointer: pointerTo(path), code, detail: detailOf(code, path, `must be ${expected}.`) })
  return undefined
}

/** What the elements of a list have in common. */
export interface Planning {
  readonly target: WriteTarget
  readonly scoped: ScopedCall
  /** The existing records, as far as the body concerns them. */
  readonly current: Current
  /** The foreign key to the parent. Empty if there is none yet. */
  readonly parent: Row
  readonly issues: Issue[]
  /** The verb for which the request itself had the permission. @default none */
  readonly permitted?: Verb
}

/**
 * Checks elements and reads their values, one after the other. Mistakes go to `issues`.
 *
 * @param keys those of the elements that have one
 * @throws HttpError with pointers into the body: 401, 403
 */
export function* readChanges(
  planning: Planning,
  elements: readonly BodyElement[],
  keys: ReadonlyMap<BodyElement, readonly unknown[]>,
): Steps<readonly Change[]> {
  const { target, scoped, issues } = planning
  const changes: Change[] = []
  const pause = pauses()
  for (const element of elements) {
    if (issues.length >= MAX_ISSUES) break
    const key = keys.get(element)
    if (key === undefined && element.act !== 'create' && hasKey(target, element)) continue
    const { path } = element
    const reading = () => collecting(issues, path, () => changeOf(planning, element, key))
    const change = yield* collecting(issues, [], () => locating(target, scoped.call, path, reading))
    if (change !== undefined) changes.push(change)
    yield* pause()
  }
  return changes
}

/** `undefined`: the element is not valid, as `issues` say. */
function* changeOf(
  planning: Planning,
  element: BodyElement,
  key: readonly unknown[] | undefined,
): Steps<Change | undefined> {
  const { target, scoped, current, parent, issues } = planning
  const { access, keys } = target
  const { act, path, sent } = element
  const seen = key && current.rows.get(sentKeyText(target, key))
  const names = keys.map(({ name }) => name)
  const change = { path, ...(key && { key }), ...(seen && { seen }) }
  if (act === 'link') {
    if (seen === undefined) yield* permit(access, 'create', scoped)
    const ends = Object.fromEntries(names.map((name, at) => [name, key?.[at]]))
    const values = filledValues(ends, scoped.guard)
    return { ...change, verb: 'create', values, sent: names, fields: names }
  }
  if (act === 'create' || (act === 'write' && seen === undefined && isCreatable(target, key))) {
    if (planning.permitted !== 'create') yield* permit(access, 'create', scoped)
    if (!isRecord(sent)) {
      issues.push(wrongType(path, sent, 'a JSON object'))
      return undefined
    }
    const own = withoutForeign(target, parent, sent)
    return { ...(yield* wait(createdValues(target, scoped.guard, own))), ...change }
  }
  if (seen === undefined) {
    const [only, another] = names
    const isNamed = act !== 'delete' && only !== undefined && another === undefined
    issues.push(missing(isNamed ? [...path, only] : path))
    return undefined
  }
  const verb = act === 'write' ? 'replace' : act
  yield* permit(access, verb, scoped, seen)
  if (verb === 'delete') return { ...nothingSent, ...change, verb }
  const values =
    verb === 'replace'
      ? replacedValues(target, scoped, sent, seen)
      : updatedValues(target, withoutNames(withoutForeign(target, parent, sent), names), () => wait(seen))
  return { ...(yield* values), ...change }
}

/** Whether clients choose the key of a new record. */
export const isCreatable = ({ keys, part }: WriteTarget, key: readonly unknown[] | undefined): boolean =>
  key === undefined ||
  keys.every((field) => membersOf(part.model, 'create').some((member) => member.field.name === field.name))

/** The changes, with the foreign keys that must refer to records in scope. Runs the scopes of those before any transaction. */
export function* withReferences<Some extends Changes>(changes: Some): Steps<Some> {
  const { target, scoped, all } = changes
  const { access } = target
  if (access.scopedReferences.length === 0) return changes
  const found: Change[] = []
  for (const change of all)
    found.push({ ...change, references: yield* boundReferences(access, scoped, change) })
  return { ...changes, all: found }
}
