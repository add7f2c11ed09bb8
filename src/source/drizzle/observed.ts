import { sql } from 'drizzle-orm'
import { isPromise } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import type {
  StatementBegun,
  StatementEnded,
  StatementFacts,
  Watch,
  WatchStatement,
} from '../../observe/observer.ts'
import type { Awaitable } from '../source.ts'
import { codeOf, readRefusal } from '../sql/errors.ts'
import type { Database, Purpose, ServedDialect, Statement } from './database.ts'
import { dialectOf } from './dialects.ts'

const systems: Readonly<Record<ServedDialect, StatementBegun['system']>> = {
  sqlite: 'sqlite',
  pg: 'postgresql',
  mysql: 'mysql',
}

/** A database whose statements are told. Each is wrapped once, when it is prepared. */
export const observedDatabase = (database: Database, watch: WatchStatement): Database =>
  Object.freeze<Database>({
    ...database,
    prepare: (query, purpose) => {
      const facts = factsOf(database, query.sql, purpose)
      const watched = observedStatement(
        database.prepare(query, purpose),
        (error) => failureOf(database, error),
        () => watch(facts),
      )
      // What runs inside of a transaction is watched there.
      return (values, inside) =>
        inside === undefined ? watched(values) : inside.prepare(query, purpose)(values)
    },
    transaction: (work) => database.transaction((inside) => work(observedDatabase(inside, watch))),
  })

const factsOf = (database: Database, text: string, { of }: Purpose<unknown>): StatementFacts =>
  Object.freeze({
    system: systems[database.dialect],
    operation: /\w+/.exec(text)?.[0].toLowerCase() ?? '',
    model: of?.model.name,
    table: of && unquoted(database.toQuery(sql`${of.table}`).sql),
    text,
  })

/** `"auth"."users"` -> `auth.users` */
const unquoted = (name: string): string => name.replaceAll(/["`]/g, '')

type Failure = Pick<StatementEnded, 'error' | 'code'>

const observedStatement =
  <T>(
    statement: Statement<T>,
    failureOf: (error: unknown) => Failure,
    begin: () => Watch<StatementEnded> | undefined,
  ): Statement<T> =>
  (values) => {
    const watch = begin()
    if (watch === undefined) return statement(values)
    const begun = performance.now()
    const end = (failure: Failure): void =>
      watch.end({ ...failure, seconds: (performance.now() - begun) / 1000 })
    const failed = (error: unknown): never => {
      end(failureOf(error))
      throw error
    }
    let result: Awaitable<T>
    try {
      result = watch.run(() => statement(values))
    } catch (error) {
      return failed(error)
    }
    const succeeded = (value: T): T => {
      end(noFailure)
      return value
    }
    return isPromise(result) ? result.then(succeeded, failed) : succeeded(result)
  }

const noFailure: Failure = Object.freeze({ error: undefined, code: undefined })

const failureOf = (database: Database, error: unknown): Failure => ({
  error: readRefusal(error, dialectOf(database).readError)?.kind ?? 'unknown',
  code: firstCode(error),
})

/** Drizzle's own error stands before that of the driver. */
const firstCode = (error: unknown): string | undefined => {
  for (const inner of causesOf(error)) {
    const code = codeOf(inner)
    if (code !== '') return code
  }
  return undefined
}
