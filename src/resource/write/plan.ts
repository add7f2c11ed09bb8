import { authorise, type Verb, verbs } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, MAX_ISSUES } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { pauses, type Steps, wait } from '../../operation/steps.ts'
import { membersOf } from '../../schema/members.ts'
import type { Row, Session } from '../../source/source.ts'
import type { Resource } from '../parts/resource.ts'
import { missing, type WriteTarget } from '../parts/target.ts'
import {
  createdValues,
  filledValues,
  nothingSent,
  replacedValues,
  updatedValues,
  withoutForeign,
  withoutNames,
} from './body.ts'
import type { Change, Changes } from './change.ts'
import type { Current } from './current.ts'
import { type BodyElement, hasKey, wrongType } from './elements.ts'
import { sentKeyText } from './keys.ts'
import { collecting, locating } from './places.ts'
import { boundReferences } from './references.ts'

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

/** Checks the permission, as the endpoints of the target do. @throws HttpError 401, 403 */
export function* permit(
  resource: Pick<Resource, 'access' | 'records'>,
  verb: Verb,
  { call }: ScopedCall,
  record?: Row,
  session: Session = resource.records.source,
): Steps<void> {
  yield* authorise(resource.access, verbs[verb].act, { call, session, ...(record && { record }) })
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
  const { resource, keys } = target
  const { act, path, sent } = element
  const seen = key && current.rows.get(sentKeyText(target, key))
  const names = keys.map(({ name }) => name)
  const change = { path, ...(key && { key }), ...(seen && { seen }) }
  if (act === 'link') {
    if (seen === undefined) yield* permit(resource, 'create', scoped)
    const ends = Object.fromEntries(names.map((name, at) => [name, key?.[at]]))
    const values = filledValues(ends, scoped.guard)
    return { ...change, verb: 'create', values, sent: names, fields: names }
  }
  if (act === 'create' || (act === 'write' && seen === undefined && isCreatable(target, key))) {
    if (planning.permitted !== 'create') yield* permit(resource, 'create', scoped)
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
  yield* permit(resource, verb, scoped, seen)
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
  const { resource } = target
  if (resource.access.scopedReferences.length === 0) return changes
  const found: Change[] = []
  for (const change of all)
    found.push({ ...change, references: yield* boundReferences(resource.access, scoped, change) })
  return { ...changes, all: found }
}
