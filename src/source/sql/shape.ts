import { assertKnown, StartError } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { isPlainObject } from '../../model/objects.ts'
import { Sql } from './text.ts'

/** What a member of an option must be. */
export interface MemberRule {
  /** Completes a message: `a string`. */
  readonly must: string
  readonly holds: (value: unknown) => boolean
  readonly optional?: true
}

/** A rule for each member of a type. */
export type Shape<Of> = {
  readonly [Name in keyof Required<Of>]: Partial<Pick<Of, Name>> extends Pick<Of, Name>
    ? MemberRule & { readonly optional: true }
    : MemberRule
}

export const optional = (rule: MemberRule): MemberRule & { readonly optional: true } => ({
  ...rule,
  optional: true,
})

const ofType = (must: string, ...types: readonly string[]): MemberRule => ({
  must,
  holds: (value) => value !== null && types.includes(typeof value),
})

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

type RuleName =
  | 'anything'
  | 'text'
  | 'flag'
  | 'yes'
  | 'act'
  | 'handle'
  | 'number'
  | 'count'
  | 'object'
  | 'texts'
  | 'fields'
  | 'list'
  | 'expression'

export const rules: Readonly<Record<RuleName, MemberRule>> = {
  anything: { must: 'anything', holds: () => true },
  text: { must: 'a string', holds: isText },
  flag: ofType('true or false', 'boolean'),
  yes: { must: 'true or absent', holds: (value) => value === true },
  act: ofType('a function', 'function'),
  handle: ofType('your own handle, an object that hooks receive as context.db', 'object', 'function'),
  number: ofType('a number', 'number', 'bigint'),
  count: {
    must: 'an integer of at least 0',
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  object: { must: 'an object', holds: isRecord },
  texts: { must: 'a list of strings', holds: areTexts },
  fields: { must: "a list of the names of fields, such as ['id']", holds: areTexts },
  list: { must: 'a list', holds: Array.isArray },
  expression: {
    must: 'an expression, such as sql`current_timestamp`',
    holds: (value) => value instanceof Sql,
  },
}

export const choiceRule = (...values: readonly string[]): MemberRule => ({
  must: `one of ${values.join(', ')}`,
  holds: (value) => values.includes(String(value)),
})

/** @throws StartError for an unknown, missing or wrong member. Instances of classes may have members of their own */
export const assertShape = <Of>(place: string, given: unknown, shape: Shape<Of>): void => {
  const known: Readonly<Record<string, MemberRule>> = shape
  if (!isRecord(given))
    throw new StartError(`${place} must be an object with the members ${Object.keys(known).join(', ')}.`)
  if (isPlainObject(given))
    for (const name of Object.keys(given)) assertKnown(`${place}: unknown member`, name, Object.keys(known))
  for (const [name, { must, holds, optional: isOptional }] of Object.entries(known)) {
    const value: unknown = Reflect.get(given, name)
    if (value === undefined ? isOptional === true : holds(value)) continue
    throw new StartError(
      value === undefined
        ? `${place}: ${name} is missing. It must be ${must}.`
        : `${place}: ${name} must be ${must}.`,
    )
  }
}
