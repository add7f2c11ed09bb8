import { onceFor } from '../../model/objects.ts'
import { type Condition, fold } from '../../query/ast.ts'
import type { BoundField, BoundTable, RelationStep } from './bound-table.ts'
import type { DialectRow } from './dialect.ts'
import type { StatementDraft } from './statement.ts'
import type { Table } from './table.ts'
import { listSql, type Sql, sql } from './text.ts'

/** A step from the records of a table to related ones, in a condition. */
interface Entering {
  /** The other table, on which the condition is compiled. */
  readonly inner: BoundTable
  /** The result is never null. */
  readonly isTwoValued: boolean
  /** Holds if at least one related record meets the condition. @param condition `undefined`: every record does */
  sql(condition: Sql | undefined): Sql
}

/** @param condition holds for the related record */
export const enterRelation = (
  table: BoundTable,
  step: RelationStep,
  condition: Condition,
  draft: StatementDraft,
): Entering =>
  isByExists[table.dialect.relatedBy](step, condition, draft, table)
    ? enterByExists(table, step)
    : enterByIn(table, step, draft.table)

type Chooses = (step: RelationStep, condition: Condition, draft: StatementDraft, from: BoundTable) => boolean

const isByExists: Readonly<Record<DialectRow['relatedBy'], Chooses>> = {
  'in-always': (step, condition, { extent }, from) =>
    extent === 'candidates' && isOfEach(from, step, condition),
  'exists-always': () => true,
  'exists-by-index': ({ target, references }, condition, { extent }) => {
    if (extent === 'all' || !indexesOf(target.table).some(beginsWith(references))) return false
    return extent === 'one' || !isFoundByIndex(condition, indexesOf(target.table))
  },
}

const beginsWith =
  (names: readonly string[]) =>
  (fields: readonly string[]): boolean =>
    names.every((name) => fields.slice(0, names.length).includes(name))

/** MySQL makes an index for each foreign key. */
const withKeyIndexes = (table: Table): readonly (readonly string[])[] => [
  ...indexesOf(table),
  ...table.foreignKeys.map(({ fields }) => fields),
]

/** Whether an index finds all records for which the condition may hold, which are few then. */
const isFoundByIndex = (condition: Condition, indexes: readonly (readonly string[])[]): boolean =>
  fold(condition, {
    and: (parts) => parts.includes(true),
    or: (parts) => parts.length > 0 && !parts.includes(false),
    has: (field, values) => !values.includes(null) && indexes.some(([first]) => first === field),
    otherwise: false,
  })

/** Whether MySQL finds the related records of one record by an index, and those that meet the condition by none. */
export const isOfEach = (
  from: BoundTable,
  { fields, target: { table }, references }: RelationStep,
  condition: Condition,
): boolean => {
  // MariaDB would keep what it found for a string, and take it for any string that its collation takes as equal.
  if (fields.some((name) => from.fieldOf(name).exact !== undefined)) return false
  const indexes = withKeyIndexes(table)
  return indexes.some(beginsWith(references)) && !isFoundByIndex(condition, indexes)
}

/** The fields of each index that the application declares, in order. */
const indexesOf = onceFor(({ indexes }: Table): readonly (readonly string[])[] =>
  indexes.flatMap(({ fields, isWhole }) => (isWhole ? [fields] : [])),
)

const enterByExists = (table: BoundTable, { fields, target, references }: RelationStep): Entering => {
  const depth = table.depth + 1
  const inner = target.as(`related${depth}`, depth)
  const outer = table.qualified()
  const match = sameSql(references.map(inner.fieldOf), fields.map(outer.fieldOf))
  // MySQL would find all of them in advance for `exists`, which is the same to it as `in`.
  const isFirst = table.dialect.relatedBy === 'in-always'
  return {
    inner,
    isTwoValued: true,
    sql: (condition) => {
      const found = sql`select 1 from ${inner.from} where ${match}${condition && sql` and ${condition}`}`
      return isFirst ? sql`(${found} limit 1) is not null` : sql`exists (${found})`
    },
  }
}

/**
 * Does not need the name of the outer table: a table may refer to itself.
 *
 * @param changed the table of the statement, which MySQL cannot read in a subquery of a change
 */
const enterByIn = (
  table: BoundTable,
  { fields, target, references }: RelationStep,
  changed: BoundTable,
): Entering => {
  const own = fields.map(table.fieldOf)
  const others = references.map(target.fieldOf)
  const sides = own.flatMap((field, at) => sidesOf(field, others[at] as BoundField))
  const names = listSql(sides.map(([one]) => one))
  const left = sides.length === 1 ? names : sql`(${names})`
  const isCopied = target.table === changed.table && !target.dialect.readsWhatItChanges
  return {
    inner: target,
    isTwoValued: ![...own, ...others].some(({ field }) => field.nullable),
    sql: (condition) => {
      const list = listSql(sides.map(([, other]) => other))
      const found = sql`${list} from ${target.from}${condition && sql` where ${condition}`}`
      // With a limit, MySQL completes the subquery before the change begins. With `distinct` too, but then, in MySQL 9.7, it does
      // not find all records without a related one.
      return isCopied
        ? sql`${left} in (select * from (select ${found} limit ${EVERYTHING}) as found)`
        : sql`${left} in (select ${found})`
    },
  }
}

/** The largest limit of MySQL. */
const EVERYTHING = sql.raw('18446744073709551615')

/** Both sides of a comparison: those that use the index and, if they are not exact, those that compare byte for byte. */
const sidesOf = (one: BoundField, other: BoundField): readonly (readonly [Sql, Sql])[] => {
  const names = [one.name, other.name] as const
  const isExact = one.exact === undefined && other.exact === undefined
  return isExact ? [names] : [names, [one.exact ?? one.name, other.exact ?? other.name]]
}

/** The fields of two records have the same values, byte for byte. Null is not the same as null. */
export const sameSql = (some: readonly BoundField[], others: readonly BoundField[]): Sql =>
  sql.join(
    some.flatMap((one, at) =>
      sidesOf(one, others[at] as BoundField).map(([left, right]) => sql`${left} = ${right}`),
    ),
    sql` and `,
  )
