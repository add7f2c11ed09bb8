import { type Issue, MAX_ISSUES, pointerTo } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { kinds } from '../../model/kinds/index.ts'
import { isStorable } from '../../model/kinds/text.ts'
import type { Field } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { detailOf, unwritableKeyIssue } from '../../schema/issues.ts'
import type { BodyKind } from '../document/body.ts'
import type { NestedTarget, Path, WriteTarget } from '../parts/target.ts'
import { sentKeyText } from './keys.ts'

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
export const hasKey = ({ keys }: WriteTarget, { act, sent }: BodyElement): boolean =>
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
