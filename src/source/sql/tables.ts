import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Condition, haveValues } from '../../query/ast.ts'
import type { Key } from '../record-keys.ts'
import type { Row } from '../source.ts'
import { type ColumnCodec, itself } from './codecs.ts'
import type { MappedModel } from './mapping.ts'
import { type Sql, sql } from './text.ts'

/** A field with its column. */
export interface TableMember {
  readonly field: Model['fields'][number]
  /** The name of its column in the database. */
  readonly column: string
  readonly codec: ColumnCodec
}

/** A model with its table. */
export interface MappedTable<Of extends TableMember = TableMember> extends MappedModel {
  /** Its name in the database, without its schema. */
  readonly name: string
  /** The table in SQL. */
  readonly table: string
  /** By field. */
  readonly members: ReadonlyMap<string, Of>
  /** The fields of its indexes that are not unique. */
  readonly indexed: readonly (readonly string[])[]
  /** The named check constraints, as far as the ORM knows them. @default none */
  readonly checks?: readonly { readonly name: string; readonly fields: readonly string[] }[]
}

export const memberOf = <Of extends TableMember>(
  { members, model }: Pick<MappedTable<Of>, 'members' | 'model'>,
  name: string,
): Of => {
  const member = members.get(name)
  if (member === undefined) throw new Error(`${model.name} has no field ${name}.`)
  return member
}

/** A value in SQL, as a column takes it. */
export const valueSql = ({ codec: { written = itself, param } }: TableMember, value: unknown): Sql =>
  written(sql.value(param(value)))

/** The key of a record that was written with these values. */
export const keyAfter = ({ primaryKey }: Pick<Model, 'primaryKey'>, key: Key, values: Row): Key =>
  primaryKey.map((name, at) => ownValue(values, name) ?? key[at])

export const keyCondition = ({ primaryKey }: Pick<Model, 'primaryKey'>, key: Key): Condition =>
  haveValues(primaryKey, key)
