import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Condition, haveValues } from '../../query/ast.ts'
import type { Row } from '../source.ts'
import type { Codec, Family } from './codecs.ts'
import type { MappedModel } from './mapping.ts'
import { onText, queryOf, type Sql, spellings } from './text.ts'

/** A field with its column. */
export interface Member {
  readonly field: Model['fields'][number]
  /** The name of its column in the database. */
  readonly column: string
  readonly codec: Codec
}

/** A model with its table. */
export interface MappedTable<Of extends Member = Member> extends MappedModel {
  /** Its name in the database, without its schema. */
  readonly name: string
  /** The table in SQL. */
  readonly table: string
  /** By field. */
  readonly members: ReadonlyMap<string, Of>
  /**
   * What an ORM adds to its own selects of these records, such as that they are not deleted softly.
   *
   * @param at the name of the table in this statement, in SQL
   */
  living(at: string, scope: Scope): readonly string[]
}

/** What the SQL of one statement is made with. */
export interface Scope {
  readonly family: Family
  readonly quoted: (name: string) => string
  readonly tableOf: (model: string) => MappedTable
  /**
   * The SQL of a value: a parameter, or a literal.
   *
   * @param field the field that the value is for
   */
  readonly value: (value: unknown, field: string) => string
  /** An alias that no other table of the statement has, in SQL. */
  readonly alias: () => string
  /** The table that the statement writes. MySQL cannot read it in a subquery. */
  readonly written?: Pick<MappedTable, 'table'>
}

/** @param value writes a value. @param written the table that the statement writes */
export const scopeOf = (
  { family, quoted }: Pick<Scope, 'family' | 'quoted'>,
  tableOf: Scope['tableOf'],
  value: Scope['value'],
  written?: Scope['written'],
): Scope => {
  let aliases = 0
  return {
    ...{ family, quoted, tableOf, value, ...(written && { written }) },
    alias: () => quoted(`m${aliases++}_`),
  }
}

/** A scope whose values become parameters with names, which no other scope has. */
export interface BoundScope extends Scope {
  readonly parameters: Readonly<Record<string, unknown>>
}

export const boundScope = (
  database: Pick<Scope, 'family' | 'quoted'>,
  tableOf: Scope['tableOf'],
  written?: Scope['written'],
): BoundScope => {
  const parameters: Record<string, unknown> = {}
  // Neither strings of clients, in expressions of the application, nor other scopes may name the same parameters.
  const prefix = `m${crypto.randomUUID().replaceAll('-', '')}_`
  let values = 0
  const bound = (value: unknown): string => {
    const name = `${prefix}${values++}`
    parameters[name] = value
    return `:${name}`
  }
  return { ...scopeOf(database, tableOf, bound, written), parameters }
}

export const memberOf = <Of extends Member>(
  { members, model }: Pick<MappedTable<Of>, 'members' | 'model'>,
  name: string,
): Of => {
  const member = members.get(name)
  if (member === undefined) throw new Error(`${model.name} has no field ${name}.`)
  return member
}

/** The column of a field, in a table with this name in SQL. */
export const columnSql = ({ quoted }: Pick<Scope, 'quoted'>, at: string, { column }: Member): string =>
  `${at}.${quoted(column)}`

/** A value in SQL, as a column takes it. */
export const valueSql = (scope: Scope, { codec, field }: Member, value: unknown): string => {
  return onText(codec.around, scope.value(codec.param(value), field.name))
}

/** A piece of SQL in a statement of this scope. @param field the field that its values are for */
export const pieceSql = (
  { quoted, value }: Pick<Scope, 'quoted' | 'value'>,
  piece: Sql,
  field: string,
): string => queryOf(piece, { ...spellings.sqlite, quoted, literal: (given) => value(given, field) }).text

/** The values of a primary key, in its order. */
export type Key = readonly unknown[]

/** The key of a record that was written with these values. */
export const keyAfter = ({ primaryKey }: Pick<Model, 'primaryKey'>, key: Key, values: Row): Key =>
  primaryKey.map((name, at) => ownValue(values, name) ?? key[at])

export const keyCondition = ({ primaryKey }: Pick<Model, 'primaryKey'>, key: Key): Condition =>
  haveValues(primaryKey, key)
