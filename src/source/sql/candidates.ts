import { after } from '../../model/objects.ts'
import { type Condition, everything, hasRelation, type Selection } from '../../query/ast.ts'
import { sharingKey } from '../sharing.ts'
import type { Awaitable } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import { compileAll } from './condition.ts'
import type { RawRow } from './database.ts'
import { compileSorting, isJoined } from './order.ts'
import { skippingIn } from './skipping.ts'
import {
  addValue,
  compilePage,
  draftOf,
  type SelectParts,
  type Slots,
  type TableAccess,
} from './statement.ts'
import { isOfEach } from './steps.ts'
import { listSql, type Sql, sql } from './text.ts'

type Rows = readonly RawRow[]
/** @param shape names the columns in statement keys */
type Read = (shape: string, columns: Sql) => Awaitable<Rows | undefined>
type List = Pick<Selection, 'filter' | 'order' | 'limit' | 'offset'>

/** How many candidates are looked at for each record of a page, and at most. */
const FOR_EACH = 20
const MOST = 2000

/**
 * MySQL finds all records whose related ones meet a condition before it takes the first of them, even for a page of 20. Where many
 * records meet it, a page is full after a few candidates: the first records that meet the conditions on their own fields.
 *
 * @returns reads the rows of the page; `undefined` if the candidates do not fill it, or it is not worth a try
 */
export const candidatesIn = ({
  database,
  table,
  selects,
}: TableAccess): ((list: List, guard: Condition) => Read | undefined) => {
  const run = selects({ fetch: 'all', read: (rows): Rows => rows })
  const skipping = skippingIn()
  return ({ filter, order, limit, offset }, guard) => {
    const wanted = limit + offset
    const all = [filter, guard].flatMap(partsOf)
    const isSmall = limit > 0 && wanted * 2 <= MOST
    if (!isSmall || table.key.length === 0 || order.length === 0 || order.some(isJoined)) return undefined
    if (!all.some((part) => isOfMany(part, table))) return undefined
    const draft = draftOf(table, 'candidates ')
    draft.extent = 'candidates'
    const own = compileAll(
      all.filter((part) => !hasRelation(part)),
      table,
      draft,
    )
    draft.key += ';'
    const place = draft.values.length
    const related = compileAll(all.filter(hasRelation), table, draft)
    const compared = draft.values.slice(place)
    const { keys } = compileSorting(order, table, draft)
    const mostAt = addValue(draft, Math.min(MOST, wanted * FOR_EACH))
    const page = compilePage(limit, offset, draft, database)
    const candidates = (slots: Slots): Sql => {
      const selected = listSql(table.key.map(({ name }, at) => sql`${name} as ${keyColumn(at)}`))
      const where = own && sql` where ${own(slots)}`
      return sql`(select ${selected} from ${table.from}${where} order by ${listSql(keys())} limit ${slots(mostAt)}) as ${CANDIDATES}`
    }
    const same = table.qualified().key.map(({ name }, at) => sql`${name} = ${CANDIDATES}.${keyColumn(at)}`)
    return (shape, columns) => {
      const key = `${draft.key} ${shape}`
      // A rare value says nothing about others.
      const name = sharingKey(key, compared) ?? key
      if (skipping.skips(name)) return undefined
      const found = run(
        { ...draft, key },
        (slots): SelectParts => ({
          ...{
            columns,
            from: sql`${candidates(slots)} straight_join ${table.from} on ${sql.join(same, AND)}`,
          },
          ...{ where: related?.(slots), orderBy: keys(), page: page(slots) },
        }),
      )
      return after(found, (rows = []) => {
        if (rows.length === limit) return rows
        skipping.failed(name)
        return undefined
      })
    }
  }
}

/** No table or column has these names. */
const CANDIDATES = sql.identifier('modelrest_candidates')
const keyColumn = (at: number): Sql => sql.identifier(`modelrest_key${at}`)

const AND = sql.raw(' and ')

/** Conditions that all have to hold. */
const partsOf = (condition: Condition): readonly Condition[] =>
  condition.op === 'and' ? condition.conditions.flatMap(partsOf) : [condition]

/** Whether a condition is about several related records of each record, which MySQL can find for one after the other. */
const isOfMany = (condition: Condition, table: BoundTable): boolean => {
  if (condition.op === 'not') return isOfMany(condition.condition, table)
  if (condition.op !== 'related') return false
  const { isUnique, through, ...step } = table.relationOf(condition.relation)
  if (through === undefined) return !isUnique && isOfEach(table, step, condition.condition)
  const first = { ...step, target: through.target, references: through.fields }
  return isOfEach(table, first, condition.link ?? everything)
}
