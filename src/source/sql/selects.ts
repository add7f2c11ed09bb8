import { Unrepresentable } from '../../model/codec.ts'
import { ownValue } from '../../model/objects.ts'
import { everything, type Order, type Selection, sortName } from '../../query/ast.ts'
import { relationOf } from '../../query/order.ts'
import { type Row, SourceError } from '../source.ts'
import type { Codec } from './codecs.ts'
import { equalColumns, whereOf } from './conditions.ts'
import { columnSql, type MappedTable, type Member, memberOf, type Scope } from './tables.ts'
import { onText } from './text.ts'

/** A value to read: a field of the record, or one of another table. */
export interface Value<Of extends Member = Member> {
  readonly name: string
  readonly member: Of
  readonly sql: string
}

/** A part of ORDER BY. */
export interface SortKey {
  readonly sql: string
  readonly direction: 'asc' | 'desc'
}

/** A row of the driver, by the names of its columns. */
export type Raw = Readonly<Record<string, unknown>>

/** The name of a column of the result, by its place in the list. */
export const columnAt = (place: number): string => `c${place}`

/** @param at the name of the table in this statement, in SQL. @default none, as in RETURNING */
export const valueAt = <Of extends Member>(
  { quoted }: Pick<Scope, 'quoted'>,
  member: Of,
  at?: string,
): Value<Of> => ({
  ...{ name: member.field.name, member },
  sql: onText(
    member.codec.read,
    at === undefined ? quoted(member.column) : columnSql({ quoted }, at, member),
  ),
})

/** The values of all fields, or of these. */
export const valuesOf = <Of extends Member>(
  scope: Pick<Scope, 'quoted'>,
  table: Pick<MappedTable<Of>, 'members' | 'model'>,
  at?: string,
  fields?: readonly string[],
): readonly Value<Of>[] => {
  for (const name of fields ?? []) memberOf(table, name)
  return [...table.members.values()]
    .filter(({ field: { name } }) => fields?.includes(name) ?? true)
    .map((member) => valueAt(scope, member, at))
}

/** The list of columns of a RETURNING. */
export const returned = ({ quoted }: Pick<Scope, 'quoted'>, values: readonly Value[]): string =>
  values.map(({ sql }, place) => `${sql} as ${quoted(columnAt(place))}`).join(', ')

/** The records that a statement writes and returns. @param run a statement that ends so */
export const returning = async (
  scope: Pick<Scope, 'quoted'>,
  table: MappedTable,
  run: (end: string) => Promise<readonly Raw[]>,
  values: readonly Value[] = valuesOf(scope, table),
): Promise<readonly Row[]> => {
  const raws = await run(`returning ${returned(scope, values)}`)
  return raws.map((raw) => rowOf(table, values, raw))
}

/** The values and the order of a list of records, with what they need of other tables. */
export const listing = <Of extends Member>(
  scope: Scope,
  table: MappedTable<Of>,
  at: string,
  { fields, order }: Pick<Selection, 'fields' | 'order'>,
): { readonly values: readonly Value[]; readonly order: readonly SortKey[] } => {
  const values: Value[] = [...valuesOf(scope, table, at, fields)]
  const keys = order.map((key) => {
    const { member, found } = reached(scope, table, at, key)
    const isOther = key.via !== undefined && key.via.length > 0
    if (isOther)
      values.push({ name: sortName(key), member, sql: found((column) => onText(member.codec.read, column)) })
    const sql = found((column) => onText(member.codec.sorted, column))
    return { sql, direction: key.direction, isNullable: isOther || member.field.nullable }
  })
  return { values, order: withNullsLast(scope, keys) }
}

/** Null is the largest value, as in PostgreSQL. */
export const withNullsLast = (
  { family }: Pick<Scope, 'family'>,
  keys: readonly (SortKey & { readonly isNullable: boolean })[],
): readonly SortKey[] =>
  keys.flatMap(({ sql, direction, isNullable }) => [
    ...(isNullable && family !== 'pg' ? [{ sql: `${sql} is null`, direction }] : []),
    { sql, direction },
  ])

/** The field of a sort key, and how its column is read: of the record itself, or of the related one, unless a guard excludes it. */
const reached = (
  scope: Scope,
  table: MappedTable,
  at: string,
  { field, via = [] }: Order,
): { readonly member: Member; readonly found: (read: (column: string) => string) => string } => {
  let [near, from] = [at, table]
  const tables: string[] = []
  const conditions: string[] = []
  for (const { relation: name, guard = everything } of via) {
    const { model, fields, references } = relationOf(from.model, name)
    const target = scope.tableOf(model)
    const alias = scope.alias()
    tables.push(`${target.table} ${alias}`)
    conditions.push(
      equalColumns(scope, [near, from, fields], [alias, target, references]),
      ...target.living(alias, scope),
      whereOf(scope, target, alias, guard),
    )
    ;[near, from] = [alias, target]
  }
  const member = memberOf(from, field)
  const column = columnSql(scope, near, member)
  const rest = ` from ${tables.join(', ')} where ${conditions.join(' and ')} limit 1`
  return {
    member,
    found: (read) => (tables.length === 0 ? read(column) : `(select ${read(column)}${rest})`),
  }
}

/** The record in a row. */
export const rowOf = (table: MappedTable, values: readonly Value[], raw: Raw): Row =>
  Object.fromEntries(
    values.map(({ name, member }, place) => [
      name,
      decoded(member, ownValue(raw, columnAt(place)), () => recordOf(table, values, raw)),
    ]),
  )

/** `Book 7`, for the log. */
export const recordOf = ({ model }: MappedTable, values: readonly Value[], raw: Raw): string => {
  const key = model.primaryKey.map((field) =>
    ownValue(raw, columnAt(values.findIndex(({ name }) => name === field))),
  )
  return `${model.name} ${key.join(',')}`
}

/** @param record names the record, or the group of records */
export const decoded = (
  { field, codec }: Pick<Member, 'field'> & { readonly codec: Pick<Codec, 'decode'> },
  raw: unknown,
  record: () => string,
  decode: (raw: unknown) => unknown = codec.decode,
): unknown => {
  try {
    return raw === null || raw === undefined ? null : decode(raw)
  } catch (error) {
    const cause = new Unrepresentable(
      `${record()}, field ${field.name}: the stored value cannot be represented exactly`,
      { cause: error },
    )
    throw new SourceError('unrepresentable', { fields: [field.name], cause })
  }
}
