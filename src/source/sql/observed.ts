import { errorHandlingOf } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import type { StatementBegun, StatementFacts, WatchStatement } from '../../observe/observer.ts'
import type { Awaitable } from '../source.ts'
import { itself } from './codecs.ts'
import { type Database, type Sending, type Statement, type StatementPurpose, spellingOf } from './database.ts'
import { readErrorOf } from './dialects.ts'
import { codeOf, readRefusal } from './errors.ts'
import { withoutLiterals } from './strings.ts'
import type { Table } from './table.ts'
import type { Dialect } from './text.ts'

const systems: Readonly<Record<Dialect, StatementBegun['system']>> = {
  sqlite: 'sqlite',
  pg: 'postgresql',
  mysql: 'mysql',
}

/** A database whose statements are observed. Each is wrapped once, when it is prepared. */
export const observedDatabase = (database: Database, watch: WatchStatement): Database => {
  const observe = observer(database, watch)
  const hasLiterals = spellingOf(database).literal !== undefined
  if (database.completesStatements === true) return completing(database, watch)
  const observed = <T>(text: string, { of }: StatementPurpose<T>, statement: Statement<T | undefined>) => {
    const facts = factsOf(database, hasLiterals ? withoutLiterals(database.dialect, text) : text, of)
    return (values: readonly unknown[]) => observe(facts, () => statement(values))
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

/** The same for a database that completes its statements. */
const completing = (database: Database, watch: WatchStatement): Database => {
  const run: Database['run'] = (text, values, purpose) =>
    database.run(text, values, { ...purpose, sending: observedSending(database, watch, purpose.of) })
  return Object.freeze<Database>({
    ...{ ...database, run },
    prepare: (text, _count, purpose) => (values) => run(text, values, purpose),
    transaction: (work) => database.transaction((inside) => work(completing(inside, watch))),
  })
}

/** Observes statements of an ORM. @param table what they are about if they name it */
export const observedSending = (
  database: Database,
  watch: WatchStatement,
  table: Observed | undefined,
): Sending => {
  const observe = observer(database, watch)
  return async (text, work) => {
    const of = table !== undefined && text.includes(shownName(table)) ? table : undefined
    return await observe(factsOf(database, withoutLiterals(database.dialect, text), of), work)
  }
}

type Observed = Pick<Table, 'model' | 'sql' | 'shown'>

const shownName = ({ sql, shown = sql }: Observed): string => shown

const factsOf = (
  { dialect }: Pick<Database, 'dialect'>,
  text: string,
  of: Observed | undefined,
): StatementFacts =>
  Object.freeze({
    system: systems[dialect],
    operation: operationOf(/\w+/.exec(text)?.[0].toLowerCase() ?? ''),
    model: of?.model.name,
    table: of && shownName(of).replaceAll(/["`]/g, ''),
    text,
  })

/** What begins with names for parts of it is a select. */
const operationOf = (word: string): string => (word === 'with' ? 'select' : word)

const observer = (database: Database, watch: WatchStatement) => {
  const { ending } = errorHandlingOf(database)
  const readError = readErrorOf(database)
  const loggable = database.errors?.loggable ?? itself
  return <T>(facts: StatementFacts, work: () => Awaitable<T>): Awaitable<T> => {
    const watched = watch(facts)
    if (watched === undefined) return work()
    const begun = performance.now()
    return ending(
      () => watched.run(work),
      (failure) => {
        const error = failure && (readRefusal(failure.error, readError)?.kind ?? 'unknown')
        // ORMs wrap the error of the driver.
        const causes = failure ? [...causesOf(loggable(failure.error))] : []
        const code = causes.map(codeOf).find((one) => one !== '')
        watched.end({ error, code, seconds: (performance.now() - begun) / 1000 })
      },
    )
  }
}
