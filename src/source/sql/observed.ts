import { executionOf } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import type {
  StatementBegun,
  StatementEnded,
  StatementFacts,
  Watch,
  WatchStatement,
} from '../../observe/observer.ts'
import type { Database, Purpose, Statement } from './database.ts'
import { readErrorOf } from './dialects.ts'
import { codeOf, readRefusal } from './errors.ts'
import type { Dialect } from './text.ts'

const systems: Readonly<Record<Dialect, StatementBegun['system']>> = {
  sqlite: 'sqlite',
  pg: 'postgresql',
  mysql: 'mysql',
}

/** A database whose statements are observed. Each is wrapped once, when it is prepared. */
export const observedDatabase = (database: Database, watch: WatchStatement): Database => {
  const observed = <T>(text: string, purpose: Purpose<T>, statement: Statement<T | undefined>) => {
    const facts = factsOf(database, text, purpose)
    return observedStatement(database, statement, () => watch(facts))
  }
  return Object.freeze<Database>({
    ...database,
    run: (text, values, purpose) =>
      observed(text, purpose, (given) => database.run(text, given, purpose))(values),
    prepare: (text, count, purpose) => observed(text, purpose, database.prepare(text, count, purpose)),
    // Statements in a transaction are observed there.
    transaction: (work) => database.transaction((inside) => work(observedDatabase(inside, watch))),
  })
}

const factsOf = ({ dialect }: Database, text: string, { of }: Purpose<unknown>): StatementFacts =>
  Object.freeze({
    system: systems[dialect],
    operation: /\w+/.exec(text)?.[0].toLowerCase() ?? '',
    model: of?.model.name,
    table: of?.sql.replaceAll(/["`]/g, ''),
    text,
  })

const observedStatement = <T>(
  database: Database,
  statement: Statement<T>,
  begin: () => Watch<StatementEnded> | undefined,
): Statement<T> => {
  const { ending } = executionOf(database)
  const readError = readErrorOf(database)
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
