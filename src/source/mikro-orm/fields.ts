import { types } from '@mikro-orm/core'
import type { FieldFacts } from '../../model/facts.ts'
import { ownValue } from '../../model/objects.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { constantOf, convertedFacts } from '../sql/conversions.ts'
import {
  arrayFacts,
  choiceOf,
  type DeclaredType,
  declaredType,
  nativeArrayFacts,
  plainFacts,
  safeInteger,
  type TypeFacts,
  typeFacts,
} from '../sql/types.ts'
import type { MikroOrmDatabase, Property } from './database.ts'

/** Names of PostgreSQL for columns that it fills in. */
const serials: Readonly<Record<string, string>> = {
  ...{ serial: 'int', serial4: 'int', bigserial: 'bigint', serial8: 'bigint', smallserial: 'smallint' },
}

const columnTypeOf = ({ columnTypes }: Property): DeclaredType => {
  const declared = declaredType(columnTypes?.[0] ?? '')
  return { ...declared, name: ownValue(serials, declared.name) ?? declared.name }
}

/** The type of the column in the database, in lower case and without a length. */
export const typeNameOf = (property: Property): string => columnTypeOf(property).name

const declaredOf = (property: Property, family: Family): TypeFacts => {
  const declared = columnTypeOf(property)
  // The columns of SQLite state no length.
  const length = declared.length ?? (family === 'sqlite' ? property.length : undefined)
  return typeFacts({ ...declared, length, unsigned: property.unsigned === true && family !== 'pg' }, family)
}

/** The types of properties say more than those of columns, which are few in SQLite. */
const typeOf = (property: Property, family: Family): TypeFacts => {
  const { customType, runtimeType, enum: isEnum, items = [], array } = property
  const facts = declaredOf(property, family)
  if (isEnum && items.length > 0 && !array) return choiceOf(items)
  if (runtimeType === 'boolean') return plainFacts('boolean')
  if (customType instanceof types.json) return facts.kind === 'json' ? facts : plainFacts('json')
  if (customType instanceof types.array || customType instanceof types.enumArray)
    return arraysOf(property, family)
  if (customType instanceof types.uuid) return plainFacts('uuid')
  // MikroORM stores instants in columns without a zone, too.
  if (runtimeType === 'Date' && family !== 'pg')
    return plainFacts('datetime', { fractionDigits: fractionsOf(property, family) })
  if (facts.kind === 'bigint' || facts.kind === 'decimal') return formed(facts, runtimeType)
  return facts
}

const MILLISECONDS = 3

const fractionsOf = (property: Property, family: Family): number =>
  family === 'sqlite' ? MILLISECONDS : (columnTypeOf(property).precision ?? 0)

const formed = (facts: TypeFacts, runtimeType: string): TypeFacts => {
  if (facts.kind === 'decimal') return { ...facts, form: runtimeType === 'number' ? 'number' : 'string' }
  if (runtimeType === 'number') return safeInteger
  return { ...facts, form: runtimeType === 'string' ? 'string' : 'bigint' }
}

/** Other databases than PostgreSQL keep the strings of an array in one text. */
const arraysOf = (property: Property, family: Family): TypeFacts => {
  const { columnTypes, customType, items = [] } = property
  const factsOf = family === 'pg' ? nativeArrayFacts : arrayFacts
  if (customType instanceof types.enumArray && items.length > 0) return factsOf(choiceOf(items))
  const element =
    family === 'pg'
      ? typeFacts(declaredType(columnTypes[0]?.replace('[]', '') ?? ''), family)
      : plainFacts('text')
  return factsOf(
    element.kind === 'text' && shownElement(property) === 'number' ? plainFacts('float') : element,
  )
}

/** The type of what `p.array(Number)` makes of a text. `undefined`: the property is not such an array. */
const shownElement = ({ customType }: Property): string | undefined => {
  if (!(customType instanceof types.array)) return undefined
  try {
    // Without a platform, whose part is the text of the array.
    const [shown]: readonly unknown[] = customType.convertToJSValue(['7'], undefined as never) ?? []
    return typeof shown
  } catch {
    return 'object'
  }
}

/** Whether an application made the type itself, so that only its methods know the values. */
export const isOwnType = (property: Property): boolean => {
  const { customType } = property
  return customType !== undefined && (!isKnownType(customType) || isOtherElement(shownElement(property)))
}

const isOtherElement = (shown: string | undefined): boolean =>
  shown !== undefined && shown !== 'string' && shown !== 'number'

const isKnownType = (customType: object): boolean =>
  Object.values(types).some((known) => Object.getPrototypeOf(customType) === known.prototype)

const shownType = (property: Property, { platform, family }: MikroOrmDatabase): TypeFacts => {
  const { customType } = property
  if (!isOwnType(property) || customType === undefined) return typeOf(property, family)
  return convertedFacts(declaredOf(property, family), (stored) => {
    const shown: unknown = customType.convertToJSValue(stored, platform)
    return [shown, customType.convertToDatabaseValue(shown, platform, {})]
  })
}

/** @param scalar the property that a foreign key refers to, else the property itself */
export const factsOf = (
  name: string,
  property: Property,
  scalar: Property,
  database: MikroOrmDatabase,
): FieldFacts => {
  const type = shownType(scalar, database)
  const { version, generated: expression, onCreate, onUpdate, autoincrement, defaultRaw } = property
  // MikroORM or the database changes them.
  const generated = version === true || expression !== undefined || onUpdate !== undefined
  const isMade = autoincrement === true || onCreate !== undefined
  // MikroORM takes a function that every object inherits, such as `toString`, as the default of a property with its name.
  const isInherited = typeof property.default === 'function'
  // There, MikroORM does not learn which key the database has made.
  const isUnknown = property.primary === true && property.default === undefined && isMysql(database.family)
  const isConstant = !generated && !isMade && !isOwnType(scalar)
  const constant = isConstant ? constantOf(property.default, { name, ...type }) : undefined
  return {
    ...{ ...type, name, nullable: property.nullable === true, generated },
    ...(version === true && type.kind === 'integer' && { raised: true as const }),
    hasDefault: isMade || generated || (defaultRaw !== undefined && !isInherited && !isUnknown),
    ...(constant !== undefined && { default: constant }),
    // MikroORM leaves it out of JSON.
    ...(property.hidden === true && { access: 'write-only' as const }),
    ...(property.comment && { description: property.comment }),
  }
}
