import { authorise, type Verb, verbs } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import type { Issue } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { fieldOf } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { membersOf } from '../../schema/members.ts'
import type { Row, Session } from '../../source/source.ts'
import { type Body, filledBody, filledValues, namesIn, sentFields } from '../body.ts'
import { withoutUnchangedFiles } from '../files.ts'
import { boundReferences } from '../references.ts'
import { isSame, withoutUnchanged } from '../replaced.ts'
import type { Resource } from '../resource.ts'
import { type Current, keyIn, keyText } from './current.ts'
import { type Element, wrongType } from './elements.ts'
import { locating, missing } from './errors.ts'
import type { Change } from './plan.ts'
import type { Together } from './relations.ts'

/** What the elements of one relation have in common. */
export interface Planning {
  readonly together: Together
  readonly scoped: ScopedCall
  /** The existing records, as far as the body concerns them. */
  readonly current: Current
  /** The foreign key to the parent. Empty if the parent does not exist yet. */
  readonly parent: Row
  readonly issues: Issue[]
}

/** Checks the permission, as the endpoints of the target do. @throws HttpError 401, 403 */
export function* permit(
  target: Resource,
  verb: Verb,
  { call }: ScopedCall,
  record?: Row,
  session: Session = target.source,
): Steps<void> {
  yield* authorise(target, verbs[verb].act, { call, session, ...(record && { record }) })
}

/**
 * Checks one element and reads its values. `undefined`: it is not valid, as `issues` say, or a link that exists.
 *
 * @throws HttpError 422 with pointers into the element; 401, 403
 */
export function* changeOf(
  planning: Planning,
  element: Element,
  key: readonly unknown[] | undefined,
): Steps<Change | undefined> {
  const { together, scoped, current, issues } = planning
  const { target, keys } = together
  const { act, path } = element
  const seen = key && current.rows.get(keyText(together, key))
  const permitted = (verb: Verb): Steps<void> =>
    locating(together, scoped.call, path, permit(target, verb, scoped, seen))
  if (act === 'link') {
    if (seen === undefined) yield* permitted('create')
    const names = keys.map(({ name }) => name)
    const ends = Object.fromEntries(names.map((name, at) => [name, key?.[at]]))
    const values = filledValues(ends, scoped.guard)
    return yield* changing(planning, {
      verb: 'create',
      element,
      key,
      values,
      sent: names,
      ...(seen && { seen }),
    })
  }
  if (act === 'create' || (act === 'write' && seen === undefined && isCreatable(together, key))) {
    yield* permitted('create')
    const values = yield* created(planning, element)
    return values && (yield* changing(planning, { verb: 'create', element, key, ...values }))
  }
  if (seen === undefined) {
    const [only, another] = keys
    const isNamed = act !== 'delete' && only !== undefined && another === undefined
    issues.push(missing(isNamed ? [...path, only.name] : path))
    return undefined
  }
  const verb = act === 'write' ? 'replace' : act
  yield* permitted(verb)
  if (verb === 'delete') return yield* changing(planning, { verb, element, key, seen, values: {}, sent: [] })
  const body = verb === 'replace' ? replaced(planning, element, seen) : updated(planning, element, seen)
  return yield* changing(planning, { verb, element, key, seen, ...(yield* body) })
}

/** Whether clients choose the key of a new record. */
export const isCreatable = ({ keys, part }: Together, key: readonly unknown[] | undefined): boolean =>
  key === undefined ||
  keys.every((field) => membersOf(part.model, 'create').some((member) => member.field.name === field.name))

export type SentValues = Pick<Change, 'values' | 'sent'>

function* changing(
  { together: { target }, scoped }: Planning,
  given: SentValues & {
    readonly verb: Change['verb']
    readonly element: Element
    readonly key: readonly unknown[] | undefined
    readonly seen?: Row
  },
): Steps<Change> {
  const { verb, element, key, seen, values, sent } = given
  const references = verb === 'delete' ? [] : yield* boundReferences(target, scoped, { sent })
  const { path } = element
  return { verb, path, ...(key && { key }), ...(seen && { seen }), values, sent, references }
}

const valuesOf = (body: Body, isCustom: boolean): SentValues => ({
  values: body.values,
  sent: sentFields(body, isCustom),
})

/** Reads the values of a new record. `undefined`: they are not valid, as `issues` say. */
export function* created(
  planning: Pick<Planning, 'together' | 'scoped' | 'parent' | 'issues'>,
  { sent, path }: Element,
): Steps<SentValues | undefined> {
  const { model, bodies } = planning.together.part
  if (!isRecord(sent)) {
    planning.issues.push(wrongType(path, sent, 'a JSON object'))
    return undefined
  }
  const { guard } = planning.scoped
  const own = withoutForeign(planning, sent)
  const filled = bodies.isCustom.create ? own : filledBody(model, own, guard)
  const values = filledValues(yield* wait(bodies.create(filled)), guard)
  return valuesOf({ values, sent: namesIn(own) }, bodies.isCustom.create)
}

function* replaced({ together, scoped }: Planning, { sent }: Element, seen: Row): Steps<SentValues> {
  const { target, part } = together
  const { model, bodies } = part
  const own =
    target.media === undefined
      ? sent
      : yield* withoutUnchangedFiles(target, target.media, sent, () => wait(seen))
  const changed = yield* withoutUnchanged(part, own, scoped, seen)
  const filled = bodies.isCustom.replace ? changed : filledBody(model, changed, scoped.guard)
  const values = yield* wait(bodies.replace(filled, seen))
  return valuesOf({ values, sent: namesIn(changed) }, bodies.isCustom.replace)
}

/** Reads the values that change an existing record. */
export function* updated(
  planning: Pick<Planning, 'together' | 'parent'>,
  { sent }: Pick<Element, 'sent'>,
  seen: Row,
): Steps<SentValues> {
  const { target, part, keys } = planning.together
  const names = keys.map(({ name }) => name)
  const own = withoutNames(withoutForeign(planning, sent), names)
  const changed =
    target.media === undefined
      ? own
      : yield* withoutUnchangedFiles(target, target.media, own, () => wait(seen))
  const values = yield* wait(part.bodies.update(changed))
  return valuesOf({ values, sent: namesIn(changed) }, part.bodies.isCustom.update)
}

/** A client may send back the foreign key that it received, but not change it. */
const withoutForeign = (
  { together: { target }, parent }: Pick<Planning, 'together' | 'parent'>,
  sent: unknown,
): unknown => {
  if (!isRecord(sent)) return sent
  const same = Object.entries(parent).filter(
    ([name, value]) =>
      Object.hasOwn(sent, name) && isSame(fieldOf(target.model, name), ownValue(sent, name), value),
  )
  return withoutNames(
    sent,
    same.map(([name]) => name),
  )
}

const withoutNames = (sent: unknown, names: readonly string[]): unknown =>
  isRecord(sent) ? Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name))) : sent

/** Deletes the existing records that a set does not contain. */
export function* impliedDeletes(
  { together, scoped, current }: Planning,
  wanted: ReadonlySet<string>,
): Steps<readonly Change[]> {
  const { target, relation } = together
  const changes: Change[] = []
  for (const [text, seen] of current.reached) {
    if (wanted.has(text)) continue
    const path = [relation.name]
    yield* locating(together, scoped.call, path, permit(target, 'delete', scoped, seen))
    const key = keyIn(together, seen)
    changes.push({ verb: 'delete', path, key, seen, values: {}, sent: [], references: [] })
  }
  return changes
}
