import { after, onceFor } from '../../model/objects.ts'
import { type Condition, everything, hasRelation, type Selection, valuesIn } from '../../query/ast.ts'
import type { Awaitable, RecordStore, RelatedTo } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import { columnSql, type Database, type RawRow } from './database.ts'
import { compileSorting, isJoined } from './order.ts'
import {
  compileFound,
  compileRead,
  compileRecords,
  inParts,
  isIndexed,
  joinedSql,
  type Question,
  questionOf,
  RELATED,
  relatedKeys,
} from './related-question.ts'
import { keyNamed, ordinal } from './related-records.ts'
import { togetherIn } from './related-together.ts'
import { readSized } from './sized.ts'
import {
  accessTo,
  addValue,
  type Build,
  compilePage,
  draftOf,
  readingIn,
  type StatementDraft,
  type TableAccess,
} from './statement.ts'
import { listSql, type Sql, sql } from './text.ts'

/** How many records a statement may ask about. More are split. */
const MOST_RECORDS = 1000

/** How many values a statement may have that repeats its conditions for each record. */
const MOST_VALUES = 20_000

const mostRecords = (conditions: readonly Condition[]): number => {
  const values = 1 + conditions.reduce((sum, condition) => sum + valuesIn(condition).length, 0)
  return Math.max(1, Math.min(MOST_RECORDS, Math.floor(MOST_VALUES / values)))
}

export const relatedIn = (access: TableAccess): NonNullable<RecordStore['related']> => {
  const { database, table } = access
  const runOf = readsOf(database)
  const together = database.dialect === 'sqlite' ? togetherIn() : undefined
  return (to, selection, admits) => {
    const relation = table.relationOf(to.relation)
    const compile = listsOf({ database, relation, to }, selection)
    const most = compile === unitedLists ? mostRecords(conditionsOf(to, selection)) : MOST_RECORDS
    const { most: mostRows = Number.POSITIVE_INFINITY } = to
    const lists = (isOfSizes: boolean): Awaitable<readonly (readonly RawRow[])[]> => {
      let read = 0
      return inParts(to, most, (part) => {
        if (read > mostRows) return part.records.map(() => [])
        const run = runOf(relation.target)
        const question = () => ({ ...questionOf(access, relation, part), isOfSizes })
        const limited = () => {
          const { draft, build } = compileLists(compile, question(), selection)
          return after(run(draft, build), (rows = []) => byOrdinal(rows, part.records.length))
        }
        return after(together?.(question(), selection, run), (whole) =>
          after(whole ?? limited(), (found) => {
            read += found.reduce((sum, { length }) => sum + length, 0)
            return found
          }),
        )
      })
    }
    const related = relation.target.as(RELATED)
    const { values } = compileSorting(selection.order, related, draftOf(related))
    const { readRows } = readingIn(database, related, selection.fields, values)
    return after(
      readSized({
        ...{ model: relation.target.model, fields: selection.fields, admits },
        most: Math.min(mostRows, to.records.length * selection.limit),
        sizes: () => after(lists(true), (found) => found.flat()),
        rows: () => lists(false),
        rawOf: (found) => found.flat(),
        read: (found) => found.map(readRows),
      }),
      (found) => (found.length === 0 ? to.records.map(() => []) : found),
    )
  }
}

export const countRelatedIn = (access: TableAccess): NonNullable<RecordStore['countRelated']> => {
  const { database, table } = access
  const runOf = readsOf(database)
  return (to, filter) => {
    const relation = table.relationOf(to.relation)
    return inParts(to, MOST_RECORDS, (part) => {
      const { draft, build } = compileCounts(questionOf(access, relation, part), filter)
      return after(runOf(relation.target)(draft, build), (rows = []) =>
        byOrdinal(rows, part.records.length).map(([row]) => Number(row?.[0] ?? 0)),
      )
    })
  }
}

/** For observers, the statements are about the other table. */
const readsOf = (database: Database) =>
  onceFor((target: BoundTable) =>
    accessTo(database, target).reads({ fetch: 'all', read: (rows): readonly RawRow[] => rows }),
  )

/** The last column of each row is the place of its record, from 1. */
const byOrdinal = (rows: readonly RawRow[], count: number): readonly (readonly RawRow[])[] => {
  const lists = Array.from({ length: count }, (): RawRow[] => [])
  for (const row of rows) lists[Number(row[row.length - 1]) - 1]?.push(row)
  return lists
}

interface Compiled {
  readonly draft: StatementDraft
  readonly build: Build
}

type CompileLists = (question: Question, selection: Selection) => Compiled

/** A list of all records has a limit of its own, beside that of each record. */
const compileLists = (compile: CompileLists, question: Question, selection: Selection): Compiled => {
  const { draft, build } = compile(question, selection)
  const { records, most = Number.POSITIVE_INFINITY } = question.to
  if (compile === joinedLists || records.length === 1 || records.length * selection.limit <= most + 1)
    return { draft, build }
  const limit = Math.ceil((most + 1) / ROUNDED) * ROUNDED
  draft.key += ` most${limit}`
  return { draft, build: (slots) => sql`${build(slots)} limit ${sql.raw(String(limit))}` }
}

const conditionsOf = ({ guard, link = everything }: RelatedTo, { filter }: Selection) => [guard, link, filter]

/** What the statement is made of, which is the same for each part of the records. */
const listsOf = (
  { database: { dialect }, relation, to }: Pick<Question, 'database' | 'relation' | 'to'>,
  selection: Selection,
): CompileLists => {
  if (relation.isUnique) return joinedLists
  if (dialect === 'mysql') {
    // An index of each foreign key is compulsory. A subquery or a join would be planned again for each record.
    const isPlanned = conditionsOf(to, selection).some(hasRelation) || selection.order.some(isJoined)
    return isPlanned && to.records.length > 1 ? rankedLists : unitedLists
  }
  if (dialect === 'pg') return isIndexed(relation) ? lateralLists : rankedLists
  return isIndexed(relation) ? keyedLists : rankedKeys
}

/** Reads all related records once. Without an index, the database would read the whole table for each record. */
const rankedLists: CompileLists = (question, selection) => {
  const { filter, limit } = selection
  const { draft } = question
  const records = compileRecords(question)
  const found = compileFound(question, draft.table, filter)
  const { joins, columns, width, orderBy } = compileRead(question, selection)
  draft.key += 'ranked '
  const limitAt = addValue(draft, limit)
  const names = Array.from({ length: width }, (_, at) => sql.identifier(`c${at}`))
  const [place, record] = [sql.identifier('place'), sql.identifier('ordinal')]
  const build: Build = (slots) => {
    const rank = sql`row_number() over (partition by ${ordinal}${orderBy(slots)})`
    const { from, where } = joinedSql(question, found, records, slots)
    const ranked = sql`select ${columns}, ${rank}, ${ordinal} from ${from}${joins(slots)} where ${where}`
    // MySQL needs a name for each column.
    return sql`with ${FOUND} (${listSql([...names, place, record])}) as (${ranked}) select * from ${FOUND} where ${place} <= ${slots(limitAt)} order by ${record}, ${place}`
  }
  return { draft, build }
}

/** No table has this name. */
const FOUND = sql.identifier('modelrest_found')

/** So that few statements differ only in how many records they may read. */
const ROUNDED = 1000

/** Each record has at most one related record, so that no limit is needed. */
const joinedLists: CompileLists = (question, selection) => {
  const { filter } = selection
  const { draft, relation } = question
  const records = compileRecords(question)
  const found = compileFound(question, draft.table, filter)
  const { joins, columns } = compileRead(question, selection)
  draft.hasOnePlan = draft.values.length === relation.fields.length
  const build: Build = (slots) =>
    sql`select ${columns}, ${ordinal} from ${records(slots)}, ${found.from}${joins(slots)} where ${found.where(keyNamed, slots)}`
  return { draft, build }
}

const lateralLists: CompileLists = (question, selection) => {
  const { filter, limit } = selection
  const { draft, relation } = question
  const records = compileRecords(question)
  const found = compileFound(question, draft.table, filter)
  const { joins, columns, orderBy } = compileRead(question, selection)
  const page = compilePage(limit, undefined, draft, question.database, relation.fields.length)
  const build: Build = (slots) =>
    sql`select ${FOUND}.* from ${records(slots)}, lateral (select ${columns}, ${ordinal} from ${found.from}${joins(slots)} where ${found.where(keyNamed, slots)}${orderBy(slots)}${page(slots)}) as ${FOUND}`
  return { draft, build }
}

/** SQLite does not have lateral joins, but subqueries with a limit: it finds the keys of the first records, and reads these. */
const keyedLists: CompileLists = (question, selection) => {
  const { filter, order, limit } = selection
  const { draft, relation } = question
  const records = compileRecords(question)
  const matching = relation.target.as('matching')
  const found = compileFound(question, matching, filter)
  const inner = compileSorting(order, matching, draft)
  const page = compilePage(limit, undefined, draft, question.database)
  const outer = compileRead(question, selection)
  const build: Build = (slots) => {
    const keys = sql`select ${namesOf(matching)} from ${found.from}${inner.joins(slots)} where ${found.where(keyNamed, slots)}${inner.orderBy(slots)}${page(slots)}`
    const related = sql`${draft.table.from} on (${namesOf(draft.table)}) in (${keys})${outer.joins(slots)}`
    const sorted = listSql([ordinal, ...outer.keys()])
    return sql`select ${outer.columns}, ${ordinal} from ${records(slots)} cross join ${related} order by ${sorted}`
  }
  return { draft, build }
}

/** Without an index, SQLite finds and ranks the keys of all related records, and reads the records of the first ones. */
const rankedKeys: CompileLists = (question, selection) => {
  const { filter, order, limit } = selection
  const { draft, relation } = question
  draft.key += 'ranked '
  const records = compileRecords(question)
  const matching = relation.target.as('matching')
  const found = compileFound(question, matching, filter)
  const inner = compileSorting(order, matching, draft)
  const limitAt = addValue(draft, limit)
  const outer = compileRead(question, selection)
  const names = matching.key.map((_, at) => sql.identifier(`k${at}`))
  const [place, record] = [sql.identifier('place'), sql.identifier('ordinal')]
  const build: Build = (slots) => {
    const rank = sql`row_number() over (partition by ${ordinal}${inner.orderBy(slots)})`
    const { from, where } = joinedSql(question, found, records, slots)
    const ranked = sql`select ${namesOf(matching)}, ${rank}, ${ordinal} from ${from}${inner.joins(slots)} where ${where}`
    const same = draft.table.key.map(({ name }, at) => sql`${name} = ${FOUND}.${names[at]}`)
    const read = sql`${FOUND} cross join ${draft.table.from} on ${sql.join(same, sql` and `)}${outer.joins(slots)}`
    return sql`with ${FOUND} (${listSql([...names, place, record])}) as (${ranked}) select ${outer.columns}, ${FOUND}.${record} from ${read} where ${FOUND}.${place} <= ${slots(limitAt)} order by ${FOUND}.${record}, ${FOUND}.${place}`
  }
  return { draft, build }
}

const namesOf = ({ key }: BoundTable): Sql => listSql(key.map(({ name }) => name))

/** MySQL can only limit what is found for a constant, and MariaDB has no lateral joins: a select for each record. */
const unitedLists: CompileLists = (question, selection) => {
  const { filter, limit } = selection
  const { draft } = question
  const found = compileFound(question, draft.table, filter)
  const { joins, columns, width, orderBy } = compileRead(question, selection)
  const page = compilePage(limit, undefined, draft, question.database)
  const places = relatedKeys(question).map((key) => key.map((value) => addValue(draft, value)))
  draft.key += ` of ${places.length}`
  const build: Build = (slots) => {
    const selects = places.map((parts, at) => {
      const matches = found.where((part) => slots(parts[part] ?? -1), slots)
      const place = columnSql(question.database, sql.raw(String(at + 1)), width)
      return sql`(select ${columns}, ${place} from ${found.from}${joins(slots)} where ${matches}${orderBy(slots)}${page(slots)})`
    })
    return sql.join(selects, sql` union all `)
  }
  return { draft, build }
}

const compileCounts = (question: Question, filter: Condition): Compiled => {
  const { draft, relation } = question
  draft.key += 'count '
  const records = compileRecords(question)
  const found = compileFound(question, draft.table, filter)
  draft.hasOnePlan = draft.values.length === relation.fields.length
  const build: Build = (slots) => {
    const { from, where } = joinedSql(question, found, records, slots)
    return sql`select count(*), ${ordinal} from ${from} where ${where} group by ${ordinal}`
  }
  return { draft, build }
}
