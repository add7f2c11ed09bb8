import { is, SQL, type SQLChunk, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../source.ts'
import type { Database, Purpose, Statement } from './database.ts'
import type { NextSlot } from './where.ts'

/** Prepared statements that a store keeps of each kind. */
const KEPT_STATEMENTS = 100

/** A statement with more values is not kept: who asks for any of a thousand has another thousand the next time. */
const KEPT_VALUES = 200

/** What is asked for: the structure of a statement, and the values that go into it. */
export interface Asked {
  /** Two statements of one kind are the same where their keys are. */
  readonly key: string
  /** As the driver takes them, in the order in which `build` asks for slots. An SQL expression is written into the statement. */
  readonly values: readonly unknown[]
  /** Only called where the statement is not kept. */
  readonly build: (next: NextSlot) => SQL
}

/** Runs statements of one kind, each prepared once. One that an expression was written into, or with very many values, is not kept. */
export const statementsOf = <T>(
  database: Database,
  purpose: Purpose<T>,
  of?: Purpose<T>['of'],
): ((asked: Asked, inside?: Database) => Awaitable<T | undefined>) => {
  let kept: LRUCache<string, Statement<T | undefined>> | undefined
  let last: { readonly key: string; readonly statement: Statement<T | undefined> } | undefined
  const prepare = ({ build, values }: Asked) =>
    database.prepare(database.toQuery(build(slotsOf(values))), { ...purpose, ...(of && { of }) })
  const statementFor = (asked: Asked): Statement<T | undefined> => {
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
