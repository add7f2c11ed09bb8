import { AnyNull } from '@prisma/client/runtime/client'
import type { Condition } from '../../query/ast.ts'
import { type NormalCondition, normalForm, oppositeOf } from '../../query/normal-form.ts'
import type { MappedField, PrismaMapped } from './describe.ts'
import type { Provider } from './fields.ts'
import type { Step } from './relations.ts'

/** A condition in the language of Prisma's client. */
export type Where = Readonly<Record<string, unknown>>

/** How conditions are translated. */
export interface Translation {
  readonly provider: Provider
  mappedOf(model: string): PrismaMapped
}

/** Holds for records that meet all of these conditions. */
export const whereOf = (by: Translation, mapped: PrismaMapped, ...conditions: readonly Condition[]): Where =>
  translated(by, mapped, normalForm({ op: 'and', conditions }))

/** A condition on a key field, because Prisma drops `{}` and `OR: []` inside of other conditions. Booleans have no lists. */
const constant = ({ model, fieldOf }: PrismaMapped, holds: boolean): Where => {
  const [name = ''] = model.primaryKey
  if (fieldOf(name).field.kind === 'boolean')
    return { [holds ? 'OR' : 'AND']: [{ [name]: true }, { [name]: false }] }
  return { [name]: { [holds ? 'notIn' : 'in']: [] } }
}

const translated = (by: Translation, mapped: PrismaMapped, condition: NormalCondition): Where => {
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
    case 'in':
    case 'in-not':
      return orNull(mapped, condition, amongValues(mapped, condition))
    default: {
      const bound = mapped.fieldOf(condition.field)
      const equals = equality[condition.op]
      if (equals !== undefined && !isOfLength(bound, condition.value))
        return orNull(mapped, condition, amongValues(mapped, { ...condition, op: equals, values: [] }))
      return orNull(mapped, condition, { [condition.field]: leaf(by, bound, condition) })
    }
  }
}

const orNull = (
  mapped: PrismaMapped,
  condition: { readonly field: string; readonly orNull: boolean },
  where: Where,
): Where =>
  condition.orNull && mapped.fieldOf(condition.field).field.nullable
    ? { OR: [where, isNull(mapped, condition.field, true)] }
    : where

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

type Among = Extract<NormalCondition, { readonly values: readonly unknown[] }>

const amongValues = (mapped: PrismaMapped, { op, field: name, values }: Omit<Among, 'orNull'>): Where => {
  const bound = mapped.fieldOf(name)
  const written = values.filter((value) => isOfLength(bound, value)).map(bound.write)
  const isIn = op === 'in'
  // Booleans have no lists, and Prisma rounds floating-point numbers in them.
  const isListed = bound.field.kind !== 'boolean' && bound.field.kind !== 'float'
  return isListed
    ? { [name]: { [isIn ? 'in' : 'notIn']: written } }
    : { [isIn ? 'OR' : 'AND']: written.map((value) => ({ [name]: isIn ? value : { not: value } })) }
}

const equality: Readonly<Partial<Record<NormalCondition['op'], 'in' | 'in-not'>>> = {
  ...{ eq: 'in', ties: 'in', ne: 'in-not', unties: 'in-not' },
}

/** Whether a stored value can be this one. */
const isOfLength = ({ padded }: MappedField, value: unknown): boolean =>
  padded === undefined || [...String(value)].length === padded

type Leaf = Extract<NormalCondition, { readonly value: unknown }>

/** Operators with their values, of a comparison that does not hold for null. */
const leaf = ({ provider }: Translation, { field, write }: MappedField, condition: Leaf): unknown => {
  const value = write(condition.value)
  switch (condition.op) {
    case 'eq':
    case 'ties':
      // The members of an object would be operators.
      return typeof value === 'object' ? { equals: value } : value
    case 'ne':
    case 'unties':
      return { not: value }
    case 'lt':
      return { lt: value }
    case 'le':
      return { lte: value }
    case 'gt':
      return { gt: value }
    case 'ge':
      return { gte: value }
    case 'contains':
    case 'contains-not': {
      const contains = provider === 'sqlite' ? value : escaped(String(value))
      const mode = provider === 'postgresql' && field.kind === 'text' && { mode: 'insensitive' }
      return condition.op === 'contains' ? { contains, ...mode } : { not: { contains }, ...mode }
    }
  }
}

/** Prisma does not escape the wildcards of `like`. */
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

type Related = Extract<NormalCondition, { readonly op: 'related' }>

const related = (
  by: Translation,
  mapped: PrismaMapped,
  { relation, isSome, condition, link }: Related,
): Where => {
  const [step, far] = mapped.stepsOf(relation)
  if (step === undefined) throw new Error(`${mapped.model.name} has no relation ${relation}.`)
  const target = by.mappedOf(step.model)
  if (far === undefined) return along(by, step, condition, isSome)
  const linked = link === undefined ? [] : [translated(by, target, link)]
  const joined = { AND: [along(by, far, condition, true), ...linked] }
  return { [step.field]: { [isSome ? 'some' : 'none']: joined } }
}

const along = (
  by: Translation,
  { field, isList, model }: Step,
  condition: NormalCondition,
  isSome: boolean,
): Where => {
  const where = (inner: NormalCondition) => translated(by, by.mappedOf(model), inner)
  if (isList) return { [field]: { [isSome ? 'some' : 'none']: where(condition) } }
  if (isSome) return { [field]: { is: where(condition) } }
  // `isNot` does not hold if the condition is neither true nor false.
  return { OR: [{ [field]: { isNot: {} } }, { [field]: { is: where(oppositeOf(condition)) } }] }
}

/** Nulls are the largest value. Prisma refuses to place those of a field that has none. */
export const sortOf = (mapped: PrismaMapped, name: string, direction: 'asc' | 'desc'): unknown =>
  mapped.fieldOf(name).field.nullable
    ? { sort: direction, nulls: direction === 'asc' ? 'last' : 'first' }
    : direction
