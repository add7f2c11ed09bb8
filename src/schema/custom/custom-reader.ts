import { type Awaitable, isPromise } from '../../model/awaitable.ts'
import { kinds } from '../../model/kinds.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { after, type BodyReader, type Values } from '../body-reader.ts'
import { NO_OBJECT } from '../issues.ts'
import { membersOf } from '../members.ts'
import { bodyRefusal, isInherited, withoutPrototype } from '../validate.ts'
import type { CustomBody } from './custom-body.ts'
import { outputCheck } from './output.ts'
import { refusalOf } from './refusal.ts'
import { runnerOf } from './run.ts'
import { keysOf, type StandardIssue, type StandardResult } from './standard-schema.ts'

/** The reader of the bodies that a schema of the application's own takes. */
export const customReader = (
  model: Model,
  which: 'create' | 'update' | 'replace',
  custom: CustomBody,
): BodyReader => {
  const run = runnerOf(custom.schema)
  const hasInherited = model.fields.some(({ name }) => isInherited(name))
  const checked = outputCheck(model, which, custom)
  const attempt = (body: Values): Awaitable<StandardResult> => {
    const result = run(hasInherited ? withoutPrototype(body) : body)
    if (custom.mayWait || !isPromise(result)) return result
    result.then(undefined, () => undefined)
    throw new Error(
      `${custom.place} validates asynchronously, and isAsync is false. Write it without async rules, or leave isAsync out.`,
    )
  }
  const finish = (result: StandardResult, sent: Values): Values => {
    if (result.issues !== undefined) throw refusalOf(result.issues, sent, model, custom.schema)
    return checked(result.value, sent)
  }
  return (body, record) => {
    if (!isObject(body)) throw bodyRefusal([NO_OBJECT])
    const whole = which === 'replace' ? { ...keyIn(model, record), ...body } : body
    return after(attempt(whole), (first) => {
      const turned = first.issues === undefined ? undefined : inOtherForm(model, whole, first.issues)
      if (turned === undefined) return finish(first, body)
      return after(attempt(turned), (second) => finish(second.issues === undefined ? second : first, body))
    })
  }
}

const isObject = (body: unknown): body is Values =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

/** A key that clients choose is part of what a create schema reads, although a PUT cannot change it. */
const keyIn = (model: Model, record: Values = {}): Values =>
  Object.fromEntries(
    membersOf(model, 'create')
      .filter(({ field }) => model.primaryKey.includes(field.name))
      .map(({ field }) => [field.name, kinds[field.kind].write(ownValue(record, field.name), field)]),
  )

/**
 * The body with all its decimals and 64-bit integers in their other JSON form, since those that clients send are strings
 * and numbers, and a schema takes one of them. `undefined`: none of them was refused, or has another form.
 */
const inOtherForm = (model: Model, body: Values, issues: readonly StandardIssue[]): Values | undefined => {
  const turned = model.fields.flatMap((field): readonly (readonly [string, unknown])[] => {
    const other = otherOf(field, body)
    return other === undefined ? [] : [[field.name, other]]
  })
  const isRefused = issues.some((issue) => {
    const [first] = keysOf(issue)
    return first === undefined || turned.some(([name]) => name === first)
  })
  return turned.length > 0 && isRefused ? { ...body, ...Object.fromEntries(turned) } : undefined
}

const otherOf = (field: Field, body: Values): unknown =>
  Object.hasOwn(body, field.name)
    ? kinds[field.kind].otherJson?.(ownValue(body, field.name), field)
    : undefined
