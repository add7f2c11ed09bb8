import { sql } from 'drizzle-orm'
import { executionOf } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import type {
  StatementBegun,
  StatementEnded,
  StatementFacts,
  Watch,
  WatchStatement,
} from '../../observe/observer.ts'
import { codeOf, readRefusal } from '../sql/errors.ts'
import type { Database, Purpose, Statement } from './database.ts'
import { dialectOf } from './dialects.ts'
import type { Dialect } from './internals.ts'

const systems: Readonly<Record<Dialect, StatementBegun['system']>> = {
  sqlite: 'sqlite',
  pg: 'postgresql',
  mysql: 'mysql',
}

/** A database whose statements are observed. Each is wrapped once, when it is prepared. */
export const observedDatabase = (database: Database, watch: WatchStatement): Database =>
  Object.freeze<Database>({
    ...database,
    prepare: (query, purpose) => {
      const facts = factsOf(database, query.sql, purpose)
      const observed = observedStatement(database, database.prepare(query, purpose), () => watch(facts))
      // Statements in a transaction are observed there.
      return (values, inside) =>
        inside === undefined ? observed(values) : inside.prepare(query, purpose)(values)
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

const unquoted = (name: string): string => name.replaceAll(/["`]/g, '')

const observedStatement = <T>(
  database: Database,
  statement: Statement<T>,
  begin: () => Watch<StatementEnded> | undefined,
): Statement<T> => {
  const { ending } = executionOf(database)
  const { readError } = dialectOf(database)
  return (values) => {
    const watch = begin()
    if (watch === undefined) return statement(values)
    const begun = performance.now()
    return ending(
      () => watch.run(() => statement(values)),
      (failure) => {
        const error = failure && (readRefusal(failure.error, readError)?.kind ?? 'unknown')
        // Drizzle's own error wraps the driver's.
        const code = failure && [...causesOf(failure.error)].map(codeOf).find((code) => code !== '')
        watch.end({ error, code, seconds: (performance.now() - begun) / 1000 })
      },
    )
  }
}
