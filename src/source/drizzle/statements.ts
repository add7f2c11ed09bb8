import { is, SQL, type SQLChunk, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { onceFor } from '../../model/objects.ts'
import { sharing } from '../sharing.ts'
import type { Awaitable, Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import type { NextSlot } from './conditions.ts'
import type { Database, Purpose, RawRow, Statement } from './database.ts'
import { rowReader } from './decode.ts'
import { asyncExecution, type Execution, syncExecution } from './execution.ts'

/** What a statement reads of its table. */
interface Reading {
  /** For the keys of statements; empty where it is all fields. */
  readonly shape: string
  /** In the order of the model. */
  readonly columns: SQL
  readonly readRows: (rows: readonly RawRow[]) => readonly Row[]
}

/** What the acts on one table have in common. */
export interface Acting extends Execution, Reading {
  readonly table: BoundTable
  /** Some of the fields. */
  readonly readingOf: (names: readonly string[]) => Reading
  readonly readFirst: (rows: readonly RawRow[]) => Row | undefined
  /** Runs statements of one kind, each prepared once, here or `inside` of a transaction. */
  statements<T>(purpose: Purpose<T>): (asked: StatementCall, inside?: Database) => Awaitable<T | undefined>
}

export const actingOn = (database: Database, table: BoundTable): Acting => {
  const readRow = rowReader(table.model, table.fields)
  return {
    ...(database.synchronous ? syncExecution : asyncExecution),
    ...reading('', table.fields, readRow),
    table,
    // The same choice comes as the same array, as long as its query string is kept.
    readingOf: onceFor((names: readonly string[]) => {
      const fields = names.map(table.fieldOf).sort((a, b) => a.place - b.place)
      return reading(fields.map(({ place }) => place).join(), fields, rowReader(table.model, fields))
    }),
    readFirst: (rows) => rows[0] && readRow(rows[0]),
    statements: (purpose) => statementsOf(database, purpose, table),
  }
}

const reading = (shape: string, fields: readonly BoundField[], readRow: (raw: RawRow) => Row): Reading => ({
  shape,
  columns: sql.join(
    fields.map(({ selected }) => selected),
    sql`, `,
  ),
  readRows: (rows) => rows.map(readRow),
})

/** Prepared statements that a store keeps of each kind. */
const KEPT_STATEMENTS = 100

/** A statement with more values is not kept: who asks for any of a thousand has another thousand the next time. */
const KEPT_VALUES = 200

/** What is asked for: the structure of a statement, and the values that go into it. */
interface StatementCall {
  /** Two statements of one kind are the same where their keys are. */
  readonly key: string
  /** As the driver takes them, in the order in which `build` asks for slots. An SQL expression is written into the statement. */
  readonly values: readonly unknown[]
  /** Only called where the statement is not kept. */
  readonly build: (next: NextSlot) => SQL
}

/** Runs statements of one kind, each prepared once. One that an expression was written into, or with very many values, is not kept. */
const statementsOf = <T>(
  database: Database,
  purpose: Purpose<T>,
  of?: Purpose<T>['of'],
): ((asked: StatementCall, inside?: Database) => Awaitable<T | undefined>) => {
  let kept: LRUCache<string, Statement<T | undefined>> | undefined
  let last: { readonly key: string; readonly statement: Statement<T | undefined> } | undefined
  const prepare = ({ build, values }: StatementCall) =>
    database.prepare(database.toQuery(build(slotsOf(values))), { ...purpose, ...(of && { of }) })
  const statementFor = (asked: StatementCall): Statement<T | undefined> => {
    kept ??= new LRUCache({ max: KEPT_STATEMENTS })
    let statement = kept.get(asked.key)
    if (statement === undefined) {
      statement = prepare(asked)
      kept.set(asked.key, statement)
    }
    last = { key: asked.key, statement }
    return statement
  }
  return (asked, inside) => {
    const { key, values } = asked
    if (values.length > KEPT_VALUES || hasSql(values)) return prepare(asked)(values, inside)
    // Most of the time it is the same again.
    return last?.key === key ? last.statement(values, inside) : statementFor(asked)(values, inside)
  }
}

const hasSql = (values: readonly unknown[]): boolean => {
  for (const value of values) if (isSql(value)) return true
  return false
}

const isSql = (value: unknown): value is SQL => typeof value === 'object' && value !== null && is(value, SQL)

const slotsOf = (values: readonly unknown[]): NextSlot => {
  let next = 0
  return (): SQLChunk => {
    const place = next
    next += 1
    const value = values[place]
    return isSql(value) ? value : sql.placeholder(String(place))
  }
}

type RunStatement<T> = (asked: StatementCall) => Awaitable<T | undefined>

/**
 * Statements of one kind that change nothing: those who ask the same at the same time share one. A synchronous driver has
 * answered before anybody else can ask.
 */
export const shareConcurrent = <T>({ synchronous }: Database, ask: RunStatement<T>): RunStatement<T> => {
  if (synchronous) return ask
  const share = sharing<T | undefined>()
  return (asked) => {
    const key = keyOf(asked)
    return key === undefined ? ask(asked) : share(key, () => ask(asked))
  }
}

/** The structure of a statement with its values. `undefined`: a value has no text that tells it from all others. */
const keyOf = ({ key, values }: StatementCall): string | undefined => {
  let text = key
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return undefined
    const shown = String(value)
    text += `;${typeof value}${shown.length}:${shown}`
  }
  return text
}

/** Those things whose question the database answers with yes: one statement for all of them. */
export const whereTrue = <T>(
  database: Database,
  things: readonly T[],
  question: (thing: T) => SQL,
): Awaitable<readonly T[]> => {
  if (things.length === 0) return []
  const { after } = database.synchronous ? syncExecution : asyncExecution
  const answers = things.map((thing) => sql`case when ${question(thing)} then 1 else 0 end`)
  const ask = database.prepare(database.toQuery(sql`select ${sql.join(answers, sql`, `)}`), {
    fetch: 'all',
    read: ([row]) => things.filter((_, place) => Number(row?.[place]) === 1),
  })
  return after(ask([]), (found) => found ?? [])
}
