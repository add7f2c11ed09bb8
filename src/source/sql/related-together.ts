import { type Awaitable, after } from '../../model/objects.ts'
import { type Condition, conditionsIn, type Selection } from '../../query/ast.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { compileAll, holdsAlways } from './condition.ts'
import { columnSql, type RawRow } from './database.ts'
import { compileRead, isIndexed, type Question, relatedKeys } from './related-question.ts'
import { skippingIn } from './skipping.ts'
import { addValue, type Build, type StatementDraft } from './statement.ts'
import { listSql, sql } from './text.ts'

/** The rows of each record. */
type Lists = readonly (readonly RawRow[])[]

type Run = (draft: StatementDraft, build: Build) => Awaitable<readonly RawRow[] | undefined>

/**
 * SQLite finds what belongs to all of the records in half of the time that a limit for each takes, as long as there are no more
 * than these limits would find. That shows when it is read.
 *
 * @returns the rows of each record; `undefined` if there are more, or it does not suit the relation
 */
export const togetherIn = () => {
  const skipping = skippingIn()
  return (question: Question, selection: Selection, run: Run): Awaitable<Lists | undefined> => {
    const { draft, to } = question
    const { records, most = Number.POSITIVE_INFINITY } = to
    const enough = records.length * selection.limit
    const field = integerKeyOf(question)
    if (field === undefined || enough > most) return undefined
    // An index that the model does not know may find the few records that a filter chooses.
    if (!holdsAlways(selection.filter) || isSearched(to.guard, draft.table, field)) return undefined
    const keys = relatedKeys(question).map(([key]) => key)
    if (!keys.every(Number.isSafeInteger)) return undefined
    const build = compileTogether(question, selection, field, keys)
    const name = `${draft.key} ${selection.limit}`
    if (skipping.skips(name)) return undefined
    return after(run(draft, build), (rows = []) => {
      if (rows.length <= enough) return byKey(rows, keys, selection.limit)
      skipping.failed(name)
      return undefined
    })
  }
}

const isInteger = ({ field: { kind }, compared, name }: BoundField): boolean =>
  kind === 'integer' && compared === name

/** The field of the related records that has the key of a record, if it is an integer, which is the same for the database and here. */
const integerKeyOf = ({ table, relation, draft }: Question): BoundField | undefined => {
  const { fields, references, through, isUnique } = relation
  if (isUnique || through !== undefined || fields.length > 1) return undefined
  const keys = [...fields.map(table.fieldOf), ...references.map(draft.table.fieldOf)]
  return keys.every(isInteger) && isIndexed(relation) ? keys.at(-1) : undefined
}

/** Whether an index may find the records of one key that meet a condition, so that SQLite need not read the others. */
const isSearched = (condition: Condition, table: BoundTable, key: BoundField): boolean => {
  if (condition.op === 'related') return false
  if (!('field' in condition)) return conditionsIn(condition).some((part) => isSearched(part, table, key))
  const { field } = condition
  const { primaryKey } = table.model
  return (
    primaryKey.includes(field) ||
    table.table.indexes.some(({ fields }) => fields.includes(field) && fields.includes(key.field.name))
  )
}

const compileTogether = (
  question: Question,
  selection: Selection,
  field: BoundField,
  keys: readonly unknown[],
): Build => {
  const { draft, to } = question
  draft.key += 'together '
  const keysAt = addValue(draft, JSON.stringify(keys))
  const holds = compileAll([to.guard], draft.table, draft)
  const read = compileRead(question, selection)
  // A single record needs none to show that there are more.
  const limitAt = addValue(draft, keys.length * selection.limit + (keys.length > 1 ? 1 : 0))
  return (slots) => {
    const among = sql`${field.name} in (select value from json_each(${slots(keysAt)}))`
    // SQLite finds no index for what follows a plus, so that it takes the one of the key.
    const where = holds === undefined ? among : sql`${among} and +(${holds(slots)})`
    const sorted = listSql([field.name, ...read.keys()])
    return sql`select ${read.columns}, ${columnSql(question.database, field.name, read.width)} from ${draft.table.from}${read.joins(slots)} where ${where} order by ${sorted} limit ${slots(limitAt)}`
  }
}

/** The last column of each row is the key of its record. */
const byKey = (rows: readonly RawRow[], keys: readonly unknown[], limit: number): Lists => {
  // Drivers return integers as numbers, bigints or strings.
  const lists = new Map(keys.map((key) => [String(key), [] as RawRow[]]))
  for (const row of rows) {
    const list = lists.get(String(row[row.length - 1]))
    if (list !== undefined && list.length < limit) list.push(row)
  }
  return keys.map((key) => lists.get(String(key)) ?? [])
}
