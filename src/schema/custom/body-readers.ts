import { MAX_ISSUES } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Model } from '../../model/model.ts'
import { type Awaitable, after, ownValue, type Values } from '../../model/objects.ts'
import {
  bodyRefusal,
  isInherited,
  NOT_AN_OBJECT,
  unwritableKeyIssue,
  validateBody,
  withoutPrototype,
} from '../issues.ts'
import { jsonSchemasOf, type ModelJsonSchemas } from '../json-schema.ts'
import { membersOf } from '../members.ts'
import { schemasOf } from '../zod.ts'
import { customRefusal } from './issues.ts'
import { runnerOf } from './run.ts'
import {
  type CustomBodies,
  type CustomBody,
  issuePath,
  type StandardIssue,
  type StandardResult,
} from './standard-schema.ts'

type Which = 'create' | 'update' | 'replace'

export interface BodyReaders extends Readonly<Record<Which, BodyReader>> {
  /** Whether a custom schema reads the body. */
  readonly isCustom: Readonly<Record<Which, boolean>>
}

export const bodyReadersOf = (model: Model, custom: CustomBodies = {}): BodyReaders => {
  const schemas = schemasOf(model)
  const readerOf = (which: Which): BodyReader => {
    const own = custom[which]
    return own === undefined ? (body) => validateBody(schemas[which], body) : customReader(model, which, own)
  }
  return {
    create: readerOf('create'),
    update: readerOf('update'),
    replace: readerOf('replace'),
    isCustom: {
      create: custom.create !== undefined,
      update: custom.update !== undefined,
      replace: custom.replace !== undefined,
    },
  }
}

/** The JSON Schemas of a model, with those of custom schemas in place of the generated ones. */
export const shownSchemasOf = (model: Model, custom: CustomBodies = {}): ModelJsonSchemas => {
  const own = Object.entries(custom).flatMap(([which, { shown }]) => (shown ? [[which, shown]] : []))
  const generated = jsonSchemasOf(model)
  return own.length === 0 ? generated : Object.freeze({ ...generated, ...Object.fromEntries(own) })
}

/** Returns the values to store. @param record the record that a PUT replaces @throws HttpError 422 `invalid_body` */
type BodyReader = (body: unknown, record?: Values) => Awaitable<Values>

const customReader = (model: Model, which: Which, custom: CustomBody): BodyReader => {
  const run = runnerOf(custom)
  const hasInherited = model.fields.some(({ name }) => isInherited(name))
  const checked = outputCheck(model, which, custom)
  const attempt = (body: Values): Awaitable<StandardResult> =>
    run(hasInherited ? withoutPrototype(body) : body)
  const finish = (result: StandardResult, sent: Values): Values => {
    if (result.issues !== undefined) throw customRefusal(result.issues, sent, model, custom.schema)
    return checked(result.value, sent)
  }
  return (body, record) => {
    if (!isRecord(body)) throw bodyRefusal([NOT_AN_OBJECT])
    const whole = which === 'replace' ? { ...keyIn(model, record), ...body } : body
    return after(attempt(whole), (first) => {
      const turned = first.issues === undefined ? undefined : inOtherForm(model, whole, first.issues)
      if (turned === undefined) return finish(first, body)
      return after(attempt(turned), (second) => finish(second.issues === undefined ? second : first, body))
    })
  }
}

/** A create schema requires a key that clients choose, although a PUT cannot change it. */
const keyIn = (model: Model, record: Values = {}): Values =>
  Object.fromEntries(
    membersOf(model, 'create')
      .filter(({ field }) => model.primaryKey.includes(field.name))
      .map(({ field }) => [field.name, kinds[field.kind].write(ownValue(record, field.name), field)]),
  )

/**
 * The body with all decimals and 64-bit integers in their other JSON form, because clients send strings or numbers and a
 * schema accepts one of them. `undefined` if none of them was refused or can be converted.
 */
const inOtherForm = (model: Model, body: Values, issues: readonly StandardIssue[]): Values | undefined => {
  const turned = new Map<PropertyKey, unknown>()
  for (const field of model.fields) {
    const value = ownValue(body, field.name)
    const other = value === undefined ? undefined : kinds[field.kind].otherJson?.(value, field)
    if (other !== undefined) turned.set(field.name, other)
  }
  const isRefused = issues.some((issue) => {
    const [first] = issuePath(issue)
    return first === undefined || turned.has(first)
  })
  return turned.size > 0 && isRefused ? { ...body, ...Object.fromEntries(turned) } : undefined
}

/**
 * A schema makes a column writable only by naming it. Passing an unknown key through is not enough.
 *
 * @throws HttpError 422 for a key that clients cannot write; Error if the output cannot be stored
 */
const outputCheck = (
  model: Model,
  which: Which,
  { place, declared, onlySent }: CustomBody,
): ((output: unknown, sent: Values) => Values) => {
  const columns = new Set(model.fields.map(({ name }) => name))
  const open = new Set(membersOf(model, which).map(({ field }) => field.name))
  const isKey = (name: string): boolean => which !== 'create' && model.primaryKey.includes(name)
  const isOpen = (name: string): boolean => open.has(name) || (declared.has(name) && !isKey(name))
  return (output, sent) => {
    if (!isRecord(output)) throw new Error(`${place} must return an object that maps field names to values.`)
    const given = Object.entries(output).filter(
      ([name]) => Object.hasOwn(sent, name) || !(onlySent || (which === 'replace' && isKey(name))),
    )
    const sentNames = given.map(([name]) => name).filter((name) => Object.hasOwn(sent, name))
    const strangers = sentNames.filter((name) => !isOpen(name))
    if (strangers.length > 0)
      throw bodyRefusal(strangers.slice(0, MAX_ISSUES).map((name) => unwritableKeyIssue(name, model)))
    const unknown = sentNames.find((name) => !columns.has(name))
    if (unknown !== undefined)
      throw new Error(
        `${place} returned the unknown column ${unknown} of ${model.name}. Remove it in a transform.`,
      )
    return Object.fromEntries(given)
  }
}
