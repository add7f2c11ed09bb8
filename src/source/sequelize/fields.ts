import type { FieldFacts } from '../../model/facts.ts'
import { ownValue } from '../../model/objects.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { constantOf, converted, convertedFacts } from '../sql/conversions.ts'
import {
  choiceOf,
  declaredType,
  nativeArrayFacts,
  opaqueFacts,
  plainFacts,
  type TypeFacts,
  typeFacts,
} from '../sql/types.ts'
import type { DeclaredModel } from './foreign-keys.ts'
import { parsedFacts } from './parsed.ts'
import { type Attribute, type Defined, sqlOf, typeKeyOf } from './values.ts'

/** Sequelize writes milliseconds. */
const MILLISECONDS = 3

/** A part of a type that Sequelize keeps under a name of its own. */
const partOf = ({ type }: Pick<Attribute, 'type'>, name: string): unknown =>
  typeof type === 'string' ? undefined : Reflect.get(type, name)

type TypeRow = (attribute: Attribute, family: Family) => TypeFacts

/** Types of Sequelize that are not what they are called in SQL. */
const ownTypes: Readonly<Record<string, TypeRow>> = {
  BOOLEAN: () => plainFacts('boolean'),
  ...{ UUID: () => plainFacts('uuid'), UUIDV1: () => plainFacts('uuid'), UUIDV4: () => plainFacts('uuid') },
  DATE: (attribute, family) =>
    plainFacts('datetime', {
      fractionDigits: isMysql(family)
        ? Math.min(declaredType(sqlOf(attribute)).precision ?? 0, MILLISECONDS)
        : MILLISECONDS,
    }),
  ENUM: (attribute) =>
    choiceOf((partOf(attribute, 'values') ?? attribute.values ?? []) as readonly unknown[]),
  ARRAY: (attribute, family) => {
    const type = partOf(attribute, 'type') as Attribute['type'] | undefined
    return type === undefined ? opaqueFacts : nativeArrayFacts(typeOf({ type }, family))
  },
}

const typeOf: TypeRow = (attribute, family) =>
  ownValue(ownTypes, typeKeyOf(attribute))?.(attribute, family) ??
  parsedFacts(attribute) ??
  typeFacts(declaredType(sqlOf(attribute)), family)

/** What validators with constants allow. */
const limits = ({ validate }: Attribute, { kind, maxLength = Infinity, ...type }: TypeFacts) => {
  const argument = (name: 'min' | 'max' | 'len'): unknown => {
    const rule: unknown = validate?.[name]
    return typeof rule === 'object' && rule !== null && 'args' in rule ? rule.args : rule
  }
  const [least, most] = [argument('min'), argument('max')].map((given) =>
    Number(Array.isArray(given) ? given[0] : (given ?? Number.NaN)),
  ) as [number, number]
  const length = argument('len')
  const [shortest, longest] = [0, Infinity].map((open, at) =>
    Array.isArray(length) && kind === 'text' ? Number(length[at] ?? open) : open,
  ) as [number, number]
  const { minimum = -Infinity, maximum = Infinity } = type
  const isInteger = kind === 'integer'
  return {
    ...(isInteger && least > Number(minimum) && { minimum: Math.ceil(least) }),
    ...(isInteger && most < Number(maximum) && { maximum: Math.floor(most) }),
    ...(longest < maxLength && { maxLength: longest }),
    ...(shortest > 0 && { minLength: shortest }),
  }
}

/** The attribute that Sequelize keeps a time in, if the model has it. */
export const stampOf = (
  { options: { timestamps = true, paranoid = false, ...given } }: Defined,
  stamp: 'createdAt' | 'updatedAt' | 'deletedAt',
): string | undefined => {
  const { [stamp]: name = stamp } = given
  if (!timestamps || name === false || (stamp === 'deletedAt' && !paranoid)) return undefined
  return name === true ? stamp : name
}

/** The attributes that Sequelize fills in itself. */
const keptOf = (defined: Defined): ReadonlySet<string | undefined> =>
  new Set([
    ...(['createdAt', 'updatedAt', 'deletedAt'] as const).map((stamp) => stampOf(defined, stamp)),
    versionIn(defined),
  ])

/** The attribute that Sequelize raises with each update. */
const versionIn = ({ options: { version = false } }: Defined): string | undefined =>
  version === true ? 'version' : version || undefined

/** A getter may mask a text, which conditions, sums and sort keys would reveal, because they see what is stored. */
const gotten = (plain: TypeFacts, name: string, defined: Defined): TypeFacts => {
  const type = convertedFacts(plain, (stored) => [
    defined.build({ [name]: stored }, { raw: true }).get(name),
    stored,
  ])
  // Statements read the column as it is stored.
  if (type.kind === 'datetime') return converted
  return type.kind === 'text' ? { ...type, conditions: 'null' } : type
}

export const factsOf = (
  name: string,
  attribute: Attribute,
  { defined, scope }: DeclaredModel,
  family: Family,
): FieldFacts => {
  const isKept = keptOf(defined).has(name)
  const plain = typeOf(attribute, family)
  const type = attribute.get === undefined ? plain : gotten(plain, name, defined)
  const { defaultValue, autoIncrement = false, allowNull, comment } = attribute
  const constant = constantOf(defaultValue, { ...type, name })
  const hasDefault = autoIncrement || (defaultValue !== undefined && defaultValue !== null)
  return {
    ...{ ...type, ...limits(attribute, type), name, generated: isKept, hasDefault: hasDefault || isKept },
    nullable: allowNull !== false,
    ...(constant !== undefined && !isKept && attribute.set === undefined && { default: constant }),
    ...(name === versionIn(defined) && { raised: true as const }),
    ...(!scope.reads(name) && { access: 'write-only' as const }),
    ...(comment !== undefined && { description: comment }),
  }
}
