import { type Condition, everything } from '../../query/ast.ts'
import { type NormalCondition, normalForm } from '../../query/normal-form.ts'
import { relationOf } from '../../query/order.ts'
import { isMysql } from './codecs.ts'
import {
  columnSql,
  type Key,
  keyCondition,
  type MappedTable,
  type Member,
  memberOf,
  type Scope,
} from './tables.ts'
import { onText } from './text.ts'

/**
 * The SQL of conditions that all hold for the records of a table.
 *
 * @param at the name of the table in this statement, in SQL
 */
export const whereOf = (
  scope: Scope,
  table: MappedTable,
  at: string,
  ...conditions: readonly Condition[]
): string => where(scope, table, at, normalForm({ op: 'and', conditions }))

/** The SQL of the condition that a record has a key, and meets a guard. */
export const whereOne = (
  scope: Scope,
  table: MappedTable,
  at: string,
  key: Key,
  guard: Condition = everything,
): string => whereOf(scope, table, at, keyCondition(table.model, key), guard)

const signs = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=', ties: '=', unties: '<>' } as const

const where = (scope: Scope, table: MappedTable, at: string, condition: NormalCondition): string => {
  switch (condition.op) {
    case 'always':
      return '1 = 1'
    case 'never':
      return '1 = 0'
    case 'and':
    case 'or':
      return `(${condition.conditions.map((part) => where(scope, table, at, part)).join(` ${condition.op} `)})`
    case 'is-null':
    case 'is-not-null': {
      const column = columnSql(scope, at, memberOf(table, condition.field))
      return `${column} is ${condition.op === 'is-null' ? '' : 'not '}null`
    }
    case 'related':
      return related(scope, table, at, condition)
    default: {
      const member = memberOf(table, condition.field)
      const column = columnSql(scope, at, member)
      const leaf = leafSql(scope, member, column, condition)
      return condition.orNull ? `(${leaf} or ${column} is null)` : leaf
    }
  }
}

type Leaf = Extract<NormalCondition, { readonly orNull: boolean }>

const leafSql = (scope: Scope, { codec, field }: Member, column: string, condition: Leaf): string => {
  const write = (value: unknown): string => scope.value(codec.param(value), field.name)
  const comparedValue = (value: unknown): string =>
    onText(codec.compared?.value ?? codec.around, write(value))
  const compared = onText(codec.compared?.column ?? codec.sorted, column)
  switch (condition.op) {
    case 'contains':
    case 'contains-not': {
      const fold = foldOf(scope, String(condition.value))
      const found = containsSql(scope, fold(onText(codec.searched, column)), fold(write(condition.value)))
      return `${found} ${condition.op === 'contains' ? '>' : '='} 0`
    }
    case 'in':
    case 'in-not':
    case 'eq':
    case 'ne': {
      const given = 'values' in condition ? condition.values : [condition.value]
      const values = given.filter((value) => codec.fits?.(value) !== false)
      const isNegated = condition.op === 'in-not' || condition.op === 'ne'
      if (values.length === 0) return isNegated ? `${column} is not null` : '1 = 0'
      const isEqual = equal(scope, codec, column, compared, (side) => {
        const [first = '', ...others] = values.map(comparedValue)
        return others.length === 0 ? `${side} = ${first}` : `${side} in (${[first, ...others].join(', ')})`
      })
      // With `HIGH_NOT_PRECEDENCE` of MySQL, `not a = b` is `(not a) = b`.
      return isNegated ? `not (${isEqual})` : isEqual
    }
    default:
      return `${compared} ${signs[condition.op]} ${comparedValue(condition.value)}`
  }
}

/** A collation may take different strings as equal. The plain comparison lets an index help. */
const equal = (
  { family }: Scope,
  { exact, equated }: Member['codec'],
  column: string,
  compared: string,
  comparison: (side: string) => string,
): string => {
  if (equated !== undefined) return comparison(onText(equated, column))
  if (exact === undefined) return comparison(compared)
  if (family === 'sqlite') return comparison(onText(exact, column))
  return `(${comparison(compared)} and ${comparison(onText(exact, column))})`
}

const containsSql = ({ family }: Scope, column: string, value: string): string =>
  `${family === 'pg' ? 'strpos' : 'instr'}(${column}, ${value})`

/** How strings are compared without their case. SQLite knows that of ASCII letters. */
const foldOf = ({ family }: Scope, value: string): ((sql: string) => string) => {
  const folded = (sql: string): string =>
    isMysql(family) ? `convert(lower(${sql}) using utf8mb4) collate utf8mb4_bin` : `lower(${sql})`
  // The lower case of a sigma depends on the characters after it, so a string might not contain its own beginning.
  if (family === 'sqlite' || !/[Σσς]/.test(value)) return folded
  return (sql) => `replace(${folded(sql)}, 'ς', 'σ')`
}

type RelatedCondition = Extract<NormalCondition, { readonly op: 'related' }>

const related = (scope: Scope, table: MappedTable, at: string, condition: RelatedCondition): string => {
  const relation = relationOf(table.model, condition.relation)
  const target = scope.tableOf(relation.model)
  const far = scope.alias()
  const exists = condition.isSome ? 'exists' : 'not exists'
  const { through } = relation
  if (through === undefined) {
    const conditions = [
      equalColumns(scope, [at, table, relation.fields], [far, target, relation.references]),
      ...target.living(far, scope),
      where(scope, target, far, condition.condition),
    ]
    return `${exists} (select 1 from ${fromSql(scope, target)} ${far} where ${conditions.join(' and ')})`
  }
  const join = scope.tableOf(through.model)
  const near = scope.alias()
  const ends = equalColumns(scope, [near, join, through.references], [far, target, relation.references])
  const conditions = [
    equalColumns(scope, [at, table, relation.fields], [near, join, through.fields]),
    ...join.living(near, scope),
    ...(condition.link === undefined ? [] : [where(scope, join, near, condition.link)]),
    ...target.living(far, scope),
    where(scope, target, far, condition.condition),
  ]
  return `${exists} (select 1 from ${fromSql(scope, join)} ${near} inner join ${fromSql(scope, target)} ${far} on ${ends} where ${conditions.join(' and ')})`
}

/** MySQL refuses to read the table that a statement writes, unless it reads a copy. MariaDB does not. */
const fromSql = ({ family, written }: Scope, { table }: MappedTable): string =>
  family === 'mysql' && written?.table === table
    ? `(select * from ${table} limit 18446744073709551615)`
    : table

type End = readonly [at: string, table: MappedTable, fields: readonly string[]]

/** The condition that the fields of one table refer to those of another one. */
export const equalColumns = (scope: Scope, one: End, other: End): string =>
  one[2]
    .map((name, place) => {
      const [left, right] = [memberOf(one[1], name), memberOf(other[1], other[2][place] ?? '')]
      const [a, b] = [columnSql(scope, one[0], left), columnSql(scope, other[0], right)]
      const exact = left.codec.exact ?? right.codec.exact
      if (exact === undefined) return `${a} = ${b}`
      return scope.family === 'sqlite'
        ? `${onText(exact, a)} = ${b}`
        : `${a} = ${b} and ${onText(exact, a)} = ${onText(exact, b)}`
    })
    .join(' and ')
