import { assertKnown, StartError } from '../../error/errors.ts'
import { assertShape, choiceRule, optional, rules, type Shape } from './shape.ts'
import type { SqlCodec, SqlColumn, SqlForeignKey, SqlIndex, SqlTable } from './stated-tables.ts'
import type { Table } from './table.ts'

const { act, anything, count, expression, fields, flag, list, number, object, text, texts, yes } = rules

const aTable: Shape<SqlTable> = {
  name: text,
  table: text,
  schema: optional(text),
  columns: list,
  primaryKey: fields,
  indexes: optional(list),
  foreignKeys: optional(list),
  checks: optional(list),
  readOnly: optional(flag),
  app: optional(text),
  description: optional(text),
}

const aColumn: Shape<SqlColumn> = {
  name: text,
  column: optional(text),
  type: { ...text, must: 'an SQL type, such as varchar(100)' },
  kind: optional(text),
  nullable: optional(flag),
  ...{ default: optional(anything), defaultSql: optional(expression), autoIncrement: optional(flag) },
  ...{ makeDefault: optional(act), makeUpdate: optional(act) },
  ...{ hasDefault: optional(flag), generated: optional(flag) },
  ...{ collation: optional(text), codec: optional(object), canonical: optional(flag) },
  ...{ values: optional(texts), element: optional(object), size: optional(count) },
  ...{ minLength: optional(count), maxLength: optional(count) },
  ...{ minimum: optional(number), maximum: optional(number) },
  ...{ precision: optional(count), scale: optional(count), fractionDigits: optional(count) },
  ...{ description: optional(text), example: optional(anything) },
  ...{
    access: optional(choiceRule('write-only')),
    conditions: optional(choiceRule('equality', 'null', 'inexact')),
  },
  ...{ foreign: optional(yes), createOnly: optional(yes), raised: optional(yes) },
  ...{ comesAgain: optional(yes), anyJson: optional(yes) },
  ...{ inSource: optional(text), shadowedBy: optional(text) },
}

const aCodec: Shape<SqlCodec> = {
  ...{ encode: act, decode: act, selected: optional(act), written: optional(act) },
}

const anIndex: Shape<SqlIndex> = { fields, unique: optional(flag), name: optional(text) }

const aForeignKey: Shape<SqlForeignKey> = {
  ...{ fields, model: text, references: fields },
  ...{ name: optional(text), inverse: optional(text), across: optional(list) },
  ...{ unchecked: optional(yes), inherited: optional(yes) },
  onDelete: optional(choiceRule('cascade', 'set null', 'set default', 'restrict', 'no action')),
}

const aCheck: Shape<Table['checks'][number]> = { name: text, fields }

/** @throws StartError for a mistake in the form of the tables that an application states, or in names of their fields */
export const assertStated = (adapter: string, tables: readonly SqlTable[]): void => {
  if (!Array.isArray(tables) || tables.length === 0)
    throw new StartError(`${adapter}: tables must be a list with at least one table.`)
  for (const [at, table] of tables.entries()) assertTable(`${adapter}: tables[${at}]`, table)
}

const assertTable = (place: string, table: SqlTable): void => {
  const model = placeOf(table, place)
  assertShape(model, table, aTable)
  const { columns, indexes = [], foreignKeys = [], checks = [] } = table
  for (const [at, column] of columns.entries()) {
    const own = placeOf(column, '')
    const of = own === '' ? `${model}.columns[${at}]` : `${model}.${own}`
    assertShape(of, column, aColumn)
    if (column.codec !== undefined) assertShape(`${of}.codec`, column.codec, aCodec)
  }
  assertOnce(model, columns)
  const names = columns.map(({ name }) => name)
  const assertNamed = (part: string, named: SqlIndex['fields']): void => {
    for (const field of named) assertKnown(`${model}.${part}: unknown field`, field, names)
  }
  for (const [at, index] of indexes.entries()) {
    assertShape(`${model}.indexes[${at}]`, index, anIndex)
    assertNamed(`indexes[${at}]`, index.fields)
  }
  for (const [at, key] of foreignKeys.entries()) assertShape(`${model}.foreignKeys[${at}]`, key, aForeignKey)
  for (const [at, check] of checks.entries()) {
    assertShape(`${model}.checks[${at}]`, check, aCheck)
    assertNamed(`checks[${at}]`, check.fields)
  }
}

const placeOf = (given: unknown, otherwise: string): string => {
  const { name }: { readonly name?: unknown } = Object(given)
  return typeof name === 'string' && name !== '' ? name : otherwise
}

const assertOnce = (model: string, columns: readonly SqlColumn[]): void => {
  for (const [at, { name, column = name }] of columns.entries())
    for (const other of columns.slice(0, at)) {
      if (other.name === name)
        throw new StartError(`${model}: two columns have the name ${name}. Rename one.`)
      if ((other.column ?? other.name) === column)
        throw new StartError(`${model}: ${other.name} and ${name} are the same column ${column}. Remove one.`)
    }
}
