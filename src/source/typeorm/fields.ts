import type { FieldFacts } from '../../model/facts.ts'
import { ownValue } from '../../model/objects.ts'
import { constantOf, convertedFacts } from '../sql/conversions.ts'
import {
  arrayFacts,
  choiceOf,
  nativeArrayFacts,
  plainFacts,
  safeInteger,
  type TypeFacts,
  typeFacts,
} from '../sql/types.ts'
import type { ColumnMetadata, TypeormDatabase } from './values.ts'

const strings = arrayFacts(plainFacts('text'))

const choice = ({ enum: values = [] }: ColumnMetadata): TypeFacts => choiceOf(values)

/** What the types of the database do not tell. */
const ownTypes: Readonly<Record<string, (column: ColumnMetadata) => TypeFacts>> = {
  ...{ 'simple-array': () => strings, set: () => strings },
  ...{ enum: choice, 'simple-enum': choice, uuid: () => plainFacts('uuid') },
  ...{ bool: () => plainFacts('boolean'), boolean: () => plainFacts('boolean') },
}

const typeOf = (column: ColumnMetadata, database: TypeormDatabase): TypeFacts => {
  const { source, family } = database
  const { type, precision, scale, unsigned } = column
  if (type === Boolean) return plainFacts('boolean')
  if (type === 'simple-json') return plainFacts('json', family === 'sqlite' ? { jsonPaths: true } : {})
  const own = ownValue(ownTypes, String(type))
  if (own !== undefined) return own(column)
  const name = database.typeOf(column)
  const length = Number(source.driver.getColumnLength(column)) || undefined
  const facts = typeFacts({ name, length, precision: precision ?? undefined, scale, unsigned }, family)
  // TypeORM returns strings, unless the option `parseInt8` asks for numbers.
  return facts.kind === 'bigint' && Reflect.get(source.options, 'parseInt8') === true ? safeInteger : facts
}

/** What a column holds, as its transformer shows it. */
const shownType = (column: ColumnMetadata, database: TypeormDatabase): TypeFacts => {
  const type = typeOf(column, database)
  const plain = column.isArray ? nativeArrayFacts(type) : type
  if (column.transformer === undefined) return plain
  const { driver } = database.source
  return convertedFacts(plain, (stored) => {
    const shown: unknown = driver.prepareHydratedValue(stored, column)
    return [shown, driver.preparePersistentValue(shown, column)]
  })
}

/** Clients cannot write columns that the database or TypeORM fills in itself. */
const isGenerated = (column: ColumnMetadata): boolean =>
  column.isVersion ||
  column.isCreateDate ||
  column.isUpdateDate ||
  column.isDeleteDate ||
  column.isDiscriminator ||
  column.isTreeLevel ||
  column.asExpression !== undefined ||
  column.generatedIdentity === 'ALWAYS' ||
  !column.isInsert

export const factsOf = (name: string, column: ColumnMetadata, database: TypeormDatabase): FieldFacts => {
  const type = shownType(column, database)
  const generated = isGenerated(column)
  const hasDefault = column.isGenerated || (column.default !== undefined && column.default !== null)
  const isConstant = !generated && column.transformer === undefined
  const constant = isConstant ? constantOf(column.default, { name, ...type }) : undefined
  return {
    ...{ ...type, name, nullable: column.isNullable, generated, hasDefault: hasDefault || generated },
    ...(!column.isUpdate && !generated && { createOnly: true as const }),
    ...(column.isVersion && { raised: true as const }),
    ...(constant !== undefined && { default: constant }),
    // TypeORM's finds leave it out, as responses do.
    ...(!column.isSelect && { access: 'write-only' as const }),
    ...(column.comment && { description: column.comment }),
  }
}
