import { after, ownValue } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { type Awaitable, DEFAULT, type RecordStore, type Row, SourceError } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { compileKey } from './condition.ts'
import type { StatementPurpose } from './database.ts'
import {
  addValue,
  type Build,
  draftOf,
  type Slots,
  type StatementDraft,
  type TableAccess,
} from './statement.ts'
import type { Column } from './table.ts'
import { listSql, Sql, sql } from './text.ts'

export type RecordChanges = Pick<RecordStore, 'create' | 'update' | 'remove' | 'take'>

export const returningChanges = (access: TableAccess, read: RecordStore['read']): RecordChanges => ({
  create: createIn(access),
  update: updateIn(access, read),
  remove: deleteIn(access, sql`1`, (rows) => rows.length > 0) as RecordStore['remove'],
  take: takeIn(access),
})

export const createIn = ({ table, columns, readFirst, writes }: TableAccess): RecordStore['create'] => {
  const run = writes({ fetch: 'all', read: readFirst })
  return (row) => {
    const draft = draftOf(table)
    draft.hasOnePlan = true
    const inserted = insertedColumns(row, draft)
    const insert: Build = (slots) =>
      sql`insert into ${table.own} ${insertedSql(inserted, table, slots)} returning ${columns}`
    return after(run(draft, insert), (record) => record ?? notStored())
  }
}

export const notStored = (): never => {
  throw new SourceError('ignored')
}

const updateIn = (
  { table, columns, readFirst, writes }: TableAccess,
  read: RecordStore['read'],
): RecordStore['update'] => {
  const run = writes({ fetch: 'all', read: readFirst })
  return (key, row, guard) => {
    if (changesNothing(row)) return read(key, guard)
    const draft = draftOf(table)
    const updated = updatedColumns(row, draft)
    const where = compileKey(key, guard, draft)
    const update: Build = (slots) =>
      sql`update ${table.own} set ${assignedSql(updated, slots)} where ${where(slots)} returning ${columns}`
    return run(draft, update)
  }
}

export const changesNothing = (row: Row): boolean => Object.values(row).every((value) => value === undefined)

export const takeIn = (access: TableAccess): RecordStore['take'] =>
  deleteIn(access, access.columns, access.readFirst)

const deleteIn = <T>(
  { table, writes }: TableAccess,
  returned: Sql,
  read: StatementPurpose<T>['read'],
): ((key: readonly unknown[], guard: Condition) => Awaitable<T | undefined>) => {
  const run = writes({ fetch: 'all', read })
  return (key, guard) => {
    const draft = draftOf(table)
    const where = compileKey(key, guard, draft)
    return run(draft, (slots) => sql`delete from ${table.own} where ${where(slots)} returning ${returned}`)
  }
}

export interface WrittenColumn {
  readonly bound: BoundField
  /** The index of its value in the draft, or the SQL of the column's default. */
  readonly given: number | Sql
}

/** The columns of an insert. Columns without a value and without a known default are omitted. */
export const insertedColumns = (row: Row, draft: StatementDraft): readonly WrittenColumn[] =>
  writtenColumns(row, draft, ({ column }, _value, { dialect }) => {
    if (column.makeDefault !== undefined) return { value: column.makeDefault() }
    return dialect.hasDefaultKeyword ? undefined : defaultSql(column)
  })

/** The columns of an update: those in `row`, and those that change with every update. */
export const updatedColumns = (row: Row, draft: StatementDraft): readonly WrittenColumn[] =>
  writtenColumns(row, draft, ({ column }, value, { dialect }) => {
    if (value === undefined) return column.makeUpdate && { value: column.makeUpdate() }
    if (column.makeDefault !== undefined) return { value: column.makeDefault() }
    return dialect.hasDefaultKeyword ? sql`default` : (defaultSql(column) ?? sql`null`)
  })

const defaultSql = ({ default: known, codec }: Column): Sql | undefined =>
  known === undefined || known instanceof Sql ? known : sql.value(codec.encode(known.constant))

/** @param choose returns the value of a column without a given one, the SQL of its default, or undefined */
const writtenColumns = (
  row: Row,
  draft: StatementDraft,
  choose: (
    bound: BoundField,
    value: unknown,
    table: BoundTable,
  ) => { readonly value: unknown } | Sql | undefined,
): readonly WrittenColumn[] => {
  const { table } = draft
  // Throws for a name that is not a field.
  for (const name in row) table.fieldOf(name)
  const columns: WrittenColumn[] = []
  for (const bound of table.fields) {
    const value = ownValue(row, bound.field.name)
    const isGiven = value !== undefined && value !== DEFAULT
    const chosen = isGiven ? undefined : choose(bound, value, table)
    if (!isGiven && chosen === undefined) continue
    if (chosen !== undefined && !('value' in chosen)) {
      draft.key += `${bound.place}d,`
      columns.push({ bound, given: chosen })
    } else {
      draft.key += bound.key
      columns.push({
        bound,
        given: addValue(draft, bound.encode(chosen === undefined ? value : chosen.value)),
      })
    }
  }
  draft.key += ' '
  return columns
}

export const insertedSql = (
  columns: readonly WrittenColumn[],
  { dialect, table: { constants = [] } }: BoundTable,
  slots: Slots,
): Sql => {
  if (columns.length + constants.length === 0) return dialect.noValues
  const names = [
    ...columns.map(({ bound }) => bound.name),
    ...constants.map(({ name }) => sql.identifier(name)),
  ]
  const values = [
    ...columns.map((column) => writtenSql(column, slots)),
    ...constants.map(({ value }) => sql.value(value)),
  ]
  return sql`(${listSql(names)}) values (${listSql(values)})`
}

export const assignedSql = (columns: readonly WrittenColumn[], slots: Slots): Sql =>
  listSql(columns.map((column) => sql`${column.bound.name} = ${writtenSql(column, slots)}`))

export const writtenSql = ({ bound, given }: WrittenColumn, slots: Slots): Sql =>
  typeof given === 'number' ? bound.written(slots(given)) : given
