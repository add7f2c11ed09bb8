import { AnyNull } from '@prisma/client/runtime/client'
import { afterPrefix, type TextComparison } from '../../model/text-comparisons.ts'
import type { Condition } from '../../query/ast.ts'
import { type NormalCondition, normalForm, oppositeOf } from '../../query/normal-form.ts'
import { relationOf } from '../../query/order.ts'
import { relationToEnd, relationToJoin } from '../join-relations.ts'
import type { Family } from '../sql/codecs.ts'
import type { MappedField, PrismaMapped } from './describe.ts'

/** A condition in the language of Prisma's client. */
type Where = Readonly<Record<string, unknown>>

/** How conditions are translated. */
export interface PrismaTranslation {
  readonly family: Family
  mappedOf(model: string): PrismaMapped
}

/** Holds for records that meet all of these conditions. */
export const whereOf = (
  by: PrismaTranslation,
  mapped: PrismaMapped,
  ...conditions: readonly Condition[]
): Where => translated(by, mapped, normalForm({ op: 'and', conditions }))

/** A condition on a key field, because Prisma drops `{}` and `OR: []` inside of other conditions. Booleans have no lists. */
const constant = ({ model, fieldOf }: PrismaMapped, holds: boolean): Where => {
  const [name = ''] = model.primaryKey
  if (fieldOf(name).field.kind === 'boolean')
    return { [holds ? 'OR' : 'AND']: [{ [name]: true }, { [name]: false }] }
  return { [name]: { [holds ? 'notIn' : 'in']: [] } }
}

const translated = (by: PrismaTranslation, mapped: PrismaMapped, condition: NormalCondition): Where => {
  switch (condition.op) {
    case 'always':
    case 'never':
      return constant(mapped, condition.op === 'always')
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => translated(by, mapped, part))
      return condition.op === 'and' ? allOf(parts) : { OR: parts }
    }
    case 'related':
      return related(by, mapped, condition)
    case 'is-null':
    case 'is-not-null':
      return isNull(mapped, condition.field, condition.op === 'is-null')
    case 'inside':
    case 'inside-not':
      throw new Error('Conditions inside JSON and arrays are not translated to those of Prisma.')
    default: {
      const where = leaf(by, mapped, condition)
      return condition.orNull && mapped.fieldOf(condition.field).field.nullable
        ? { OR: [where, isNull(mapped, condition.field, true)] }
        : where
    }
  }
}

/** One object, as an application writes it, unless two conditions are on the same field. */
const allOf = (parts: readonly Where[]): Where => {
  const all: Where = Object.assign({}, ...parts)
  const names = parts.reduce((sum, part) => sum + Object.keys(part).length, 0)
  return names === Object.keys(all).length ? all : { AND: parts }
}

const isNull = (mapped: PrismaMapped, name: string, holds: boolean): Where => {
  const { field } = mapped.fieldOf(name)
  // The JSON value null is returned as null too.
  if (field.kind === 'json')
    return holds ? { [name]: { equals: AnyNull } } : { NOT: { [name]: { equals: AnyNull } } }
  // Prisma refuses the comparison.
  if (!field.nullable) return constant(mapped, !holds)
  return { [name]: holds ? null : { not: null } }
}

type Leaf = Extract<NormalCondition, { readonly orNull: boolean }>

/** Does not hold for null. */
const leaf = (by: PrismaTranslation, mapped: PrismaMapped, condition: Leaf): Where => {
  const { field: name, op } = condition
  const bound = mapped.fieldOf(name)
  if ('value' in condition) {
    const isOther = equality[op]
    return isOther !== undefined && !isOfLength(bound, condition.value)
      ? constant(mapped, isOther)
      : { [name]: comparisons[condition.op](bound.write(condition.value), by, bound) }
  }
  const values = condition.values.filter((value) => isOfLength(bound, value)).map(bound.write)
  // Booleans have no lists, and Prisma rounds floating-point numbers in them.
  if (bound.field.kind !== 'boolean' && bound.field.kind !== 'float')
    return { [name]: { [lists[condition.op]]: values } }
  return op === 'in'
    ? { OR: values.map((value) => ({ [name]: value })) }
    : { AND: values.map((value) => ({ [name]: { not: value } })) }
}

const lists = { in: 'in', 'in-not': 'notIn' } as const

/** Whether a comparison holds for other values. */
const equality: Readonly<Partial<Record<Leaf['op'], boolean>>> = {
  ...{ eq: false, ties: false, ne: true, unties: true },
}

/** Whether a stored value can be this one. */
const isOfLength = ({ padded }: MappedField, value: unknown): boolean =>
  padded === undefined || [...String(value)].length === padded

type Comparing = (value: unknown, by: PrismaTranslation, bound: MappedField) => unknown

// The members of an object would be operators.
const equals: Comparing = (value) => (typeof value === 'object' ? { equals: value } : value)
const differs: Comparing = (value) => ({ not: value })

// Prisma does not escape the wildcards of `like`.
const pattern = (value: unknown): string => String(value).replaceAll(/[\\%_]/g, '\\$&')

const insensitive = ({ family }: PrismaTranslation, { field }: MappedField): object =>
  family === 'pg' && field.kind === 'text' ? { mode: 'insensitive' } : {}

/** What a text must meet, and in which mode. */
type Meeting = (
  value: unknown,
  by: PrismaTranslation,
  bound: MappedField,
) => readonly [filter: object, mode: object]

const textFilters: Readonly<Record<TextComparison, Meeting>> = {
  contains: (value, by, bound) => [
    { contains: by.family === 'sqlite' ? value : pattern(value) },
    insensitive(by, bound),
  ],
  // On SQLite, `startsWith` would ignore case.
  'starts-with': (value, { family }) => {
    if (family !== 'sqlite') return [{ startsWith: pattern(value) }, {}]
    const lt = afterPrefix(String(value))
    return [{ gte: value, ...(lt !== undefined && { lt }) }, {}]
  },
  'equals-ignoring-case': (value, by, bound) => [{ equals: pattern(value) }, insensitive(by, bound)],
}

const ofText = (op: TextComparison): Readonly<Record<string, Comparing>> => ({
  [op]: (...args) => Object.assign({}, ...textFilters[op](...args)),
  [`${op}-not`]: (...args) => {
    const [not, mode] = textFilters[op](...args)
    return { not, ...mode }
  },
})

/** Operators with their values. */
const comparisons: Readonly<Record<Extract<Leaf, { readonly value: unknown }>['op'], Comparing>> = {
  ...{ eq: equals, ties: equals, ne: differs, unties: differs },
  lt: (lt) => ({ lt }),
  le: (lte) => ({ lte }),
  gt: (gt) => ({ gt }),
  ge: (gte) => ({ gte }),
  ...(Object.assign({}, ...(Object.keys(textFilters) as TextComparison[]).map(ofText)) as Readonly<
    Record<TextComparison | `${TextComparison}-not`, Comparing>
  >),
}

type Related = Extract<NormalCondition, { readonly op: 'related' }>

const related = (
  by: PrismaTranslation,
  mapped: PrismaMapped,
  { relation, isSome, condition, link }: Related,
): Where => {
  const { model, fields, through } = relationOf(mapped.model, relation)
  if (through !== undefined) {
    const join = by.mappedOf(through.model).model
    const onward = relationToEnd(join, through.references, model).name
    const far: NormalCondition = { op: 'related', relation: onward, isSome: true, condition }
    const linked: NormalCondition = link === undefined ? far : { op: 'and', conditions: [far, link] }
    const near = relationToJoin(mapped.model, fields, through.model, through.fields).name
    return related(by, mapped, { op: 'related', relation: near, isSome, condition: linked })
  }
  const where = (inner: NormalCondition) => translated(by, by.mappedOf(model), inner)
  const { name, isList } = mapped.along(relation)
  if (isList) return { [name]: { [isSome ? 'some' : 'none']: where(condition) } }
  if (isSome) return { [name]: { is: where(condition) } }
  // `isNot` does not hold if the condition is neither true nor false.
  return { OR: [{ [name]: { isNot: {} } }, { [name]: { is: where(oppositeOf(condition)) } }] }
}
