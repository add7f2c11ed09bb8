import { after } from '../../model/objects.ts'
import { type Condition, everything, type Selection } from '../../query/ast.ts'
import type { Awaitable, RelatedTo } from '../source.ts'
import type { BoundField, BoundRelation, BoundTable } from './bound-table.ts'
import { compileAll, equalSql } from './condition.ts'
import type { Database } from './database.ts'
import { compileSorting, type Sorting } from './order.ts'
import { type Columns, keyNamed, type RelatedKeys, recordsTableOf } from './related-records.ts'
import { sizesIn } from './sized.ts'
import {
  type Build,
  draftOf,
  readingIn,
  type Slots,
  type StatementDraft,
  type TableAccess,
} from './statement.ts'
import { sameSql } from './steps.ts'
import { listSql, type Sql, sql } from './text.ts'

/** A statement about the records related to several records. */
export interface Question {
  readonly database: Database
  readonly table: BoundTable
  readonly relation: BoundRelation
  readonly to: RelatedTo
  readonly draft: StatementDraft
  /** It asks for the sizes of the related records, instead of reading them. */
  readonly isOfSizes?: boolean
}

export const questionOf = (
  { database, table }: TableAccess,
  relation: BoundRelation,
  to: RelatedTo,
): Question => ({
  ...{ database, table, relation, to },
  draft: { ...draftOf(relation.target.as(RELATED), `${relation.place} `), extent: 'page' },
})

export const RELATED = 'related'
const LINK = 'link'
const EARLIER = 'earlier link'

interface Read extends Sorting {
  readonly columns: Sql
  /** The number of columns. */
  readonly width: number
}

/** The columns of related records, or those of their sizes, and their order. */
export const compileRead = (
  { draft, database, isOfSizes }: Question,
  { order, fields }: Pick<Selection, 'order' | 'fields'>,
): Read => {
  const sorting = compileSorting(order, draft.table, draft)
  if (isOfSizes === true) {
    draft.key += ` sizes ${readingIn(database, draft.table, fields).shape} `
    return { ...sorting, columns: sizesIn(database, draft.table, fields), width: 2 }
  }
  const { shape, columns } = readingIn(database, draft.table, fields, sorting.values)
  draft.key += ` ${shape} `
  const width = (fields ?? draft.table.fields).length + sorting.values.length
  return { ...sorting, columns, width }
}

interface RelatedSource {
  readonly from: Sql
  /** The same, of only those records whose first key is among these. */
  fromThose(keys: Sql): Sql
  /** The records that are related to the one with these keys. */
  where(keyOf: (at: number) => Sql, slots: Slots): Sql
}

/** The fields by which related records are found: their own, or those of the join table. */
const matchedIn = ({ references, through }: BoundRelation, related: BoundTable): Columns => {
  const table = through?.target.as(LINK) ?? related
  return { table, fields: (through?.fields ?? references).map(table.fieldOf) }
}

export const compileFound = (
  { relation, to: { guard, link = everything }, draft, database }: Question,
  related: BoundTable,
  filter: Condition,
): RelatedSource => {
  const { references, through } = relation
  const joined = through?.target.as(LINK)
  const { fields: matched } = matchedIn(relation, related)
  const linked = joined && compileAll([link], joined, draft)
  const isFirst = joined && compileFirst(relation, joined, link, draft)
  draft.key += ';'
  const holds = compileAll([filter, guard], related, draft)
  const same =
    joined && sameSql((through?.references ?? []).map(joined.fieldOf), references.map(related.fieldOf))
  // The key of a list has the type of the field, in MySQL also its character set.
  const exactKey = ({ exact, column }: BoundField, key: Sql): Sql | undefined =>
    exact && database.dialect !== 'sqlite' ? column.codec.exact?.(key) : undefined
  const fromTable = (table: Sql): Sql =>
    joined === undefined ? table : sql`${table} inner join ${related.from} on ${same}`
  const own = joined ?? related
  // A filter may name columns without a field.
  const columns = (): Sql =>
    own.filter === undefined
      ? listSql(own.fields.map(({ name, column }) => sql`${name} as ${sql.identifier(column.name)}`))
      : sql`*`
  return {
    from: fromTable(own.from),
    // With a limit, SQLite finds them once, and makes an index of what it found.
    fromThose: (keys) =>
      fromTable(
        sql`(select ${columns()} from ${own.from} where ${matched[0]?.name} in (${keys}) limit -1) as ${sql.identifier(own.alias)}`,
      ),
    where: (keyOf, slots) => {
      const parts = matched.map((bound, at) => equalSql(bound, keyOf(at), exactKey(bound, keyOf(at))))
      return sql.join(
        [...parts, ...[linked, isFirst, holds].flatMap((build) => build?.(slots) ?? [])],
        sql` and `,
      )
    },
  }
}

/** Of the links between the same two records, only the first one that meets the condition counts. */
const compileFirst = (
  { through }: BoundRelation,
  joined: BoundTable,
  link: Condition,
  draft: StatementDraft,
): Build | undefined => {
  if (through === undefined || through.isUnique) return undefined
  const earlier = through.target.as(EARLIER)
  const pair = [...through.fields, ...through.references]
  const isSame = sameSql(pair.map(earlier.fieldOf), pair.map(joined.fieldOf))
  const linked = compileAll([link], earlier, draft)
  const [before, own] = [earlier, joined].map(({ key }) => listSql(key.map(({ name }) => name)))
  return (slots) => {
    const holds = sql.join([isSame, ...(linked ? [linked(slots)] : [])], sql` and `)
    return sql`not exists (select 1 from ${earlier.from} where ${holds} and (${before}) < (${own}))`
  }
}

export const relatedKeys = ({ table, relation, to }: Question): RelatedKeys => {
  const encoders = relation.fields.map((name) => table.fieldOf(name).encodeCompared)
  return to.records.map((values) => encoders.map((encode, at) => encode(values[at])))
}

/** The parts of a statement that finds the related records of all records. */
export const joinedSql = (
  { relation, database }: Question,
  { from, fromThose, where }: RelatedSource,
  records: Build,
  slots: Slots,
): Readonly<Record<'from' | 'where', Sql>> => {
  const matches = where(keyNamed, slots)
  if (database.dialect !== 'sqlite' || isIndexed(relation))
    return { from: sql`${records(slots)}, ${from}`, where: matches }
  // SQLite would read the whole table for each record, or the whole list for each record of the table.
  const those = fromThose(sql`select ${keyNamed(0)} from ${records(slots)}`)
  return { from: sql`${records(slots)} cross join ${those}`, where: matches }
}

export const compileRecords = (question: Question): Build => {
  const { table, relation, draft, database } = question
  const own = { table, fields: relation.fields.map(table.fieldOf) }
  const types = database.dialect === 'mysql' ? matchedIn(relation, draft.table) : own
  return recordsTableOf(database.dialect)(types, relatedKeys(question), draft)
}

/** Whether the table has an index by which the database finds the related records of one record. */
export const isIndexed = ({ target, references, through }: BoundRelation): boolean => {
  const [{ table }, fields] = through === undefined ? [target, references] : [through.target, through.fields]
  return fields.some((name) => table.indexes.some(({ fields: [first] }) => first === name))
}

/** Runs a statement for so many records at a time, one after the other. */
export const inParts = <T>(
  to: RelatedTo,
  most: number,
  run: (part: RelatedTo) => Awaitable<readonly T[]>,
): Awaitable<readonly T[]> => {
  const { records } = to
  if (records.length === 0) return []
  if (records.length <= most) return run(to)
  return after(run({ ...to, records: records.slice(0, most) }), (first) =>
    after(inParts({ ...to, records: records.slice(most) }, most, run), (rest) => [...first, ...rest]),
  )
}
