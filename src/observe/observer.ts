import type { Log } from './log.ts'

/** An operation that begins: one request that is served. */
export interface OperationBegun {
  /** As the OpenAPI document names it: `listProducts`. */
  readonly operationId: string
  /** The model that it is about. `undefined`: none, as for a login. */
  readonly model: string | undefined
  /** As it was sent: HEAD is served by the operation of GET. */
  readonly method: string
  /** The path as the OpenAPI document has it, behind the base: `/api/products/{id}`. */
  readonly route: string
  /** `http` or `https`, as far as the host knows. */
  readonly scheme: string
  /** The path as it was sent, with the keys in it. */
  readonly path: string
  /** Stands in the log and in replies of 500 and above. */
  readonly requestId: string
  /** A header of the request by its lower-case name. */
  header(name: string): string | undefined
}

/** How an operation ended: its reply is ready to be sent. */
export interface OperationEnded {
  /** `undefined`: none was sent, as the client had gone. */
  readonly status: number | undefined
  /** Of a refusal: its code, as docs/errors.md lists them. `undefined`: there was none, or the application refused. */
  readonly code: string | undefined
  /** How long it took. */
  readonly seconds: number
  /** Somebody who is known sent it. Who that is, is not told. */
  readonly hasCaller: boolean
}

/** A statement that is sent to the database. */
export interface StatementBegun {
  readonly system: 'sqlite' | 'postgresql' | 'mysql'
  /** The first word of its text, in lower case: `select`, `insert`, `update`, `delete`. */
  readonly operation: string
  /** The model whose table it is about. `undefined`: it is about none, or several. */
  readonly model: string | undefined
  /** The name of that table in the database, with its schema where it was declared with one: `auth.users`. */
  readonly table: string | undefined
  /** Its text, with placeholders in place of all values. */
  readonly text: string
  /**
   * The operation that it is sent for. `undefined`: none, as at start. A count that several operations share is sent for
   * the first of them.
   */
  readonly within: OperationBegun | undefined
}

/** How a statement ended. */
export interface StatementEnded {
  /** How long it took, with the time in which it waited for a connection. */
  readonly seconds: number
  /** What kind of error it ended with: `unique`, `foreign-key`, `unavailable`, or `unknown`. `undefined`: none. */
  readonly error: string | undefined
  /** The driver's code of that error, where it has one: `23505`, `SQLITE_BUSY`, `ECONNREFUSED`. */
  readonly code: string | undefined
}

/** Watches one operation or statement. */
export interface Observation<Ended> {
  /**
   * Does the work, or a part of it, and gives what that gives: whatever context is current meanwhile, is current for all that
   * the work does. Of an operation it is called again for what follows the body. @default the work is done
   */
  run?<T>(work: () => T): T
  /** It has ended. Called once. */
  end?(ended: Ended): void
}

/**
 * Is told of every operation and of every statement, as they begin and as they end. No value, no name of a user and no
 * text of a driver is told. What it throws is logged once, and breaks nothing.
 *
 * @example
 * ```ts
 * import type { Observer } from 'modelrest'
 *
 * export const slowStatements: Observer = {
 *   statement: ({ text, within }) => ({
 *     end: ({ seconds }) => {
 *       if (seconds > 0.5) console.warn(`${seconds} s in ${within?.operationId ?? 'nothing'}: ${text}`)
 *     },
 *   }),
 * }
 * ```
 */
export interface Observer {
  /** Nothing is given: this one is not watched. */
  operation?(begun: OperationBegun): Observation<OperationEnded> | undefined
  /** Nothing is given: this one is not watched. */
  statement?(begun: StatementBegun): Observation<StatementEnded> | undefined
}

/** What a source knows of a statement, once for all the times that it is sent. */
export type StatementFacts = Omit<StatementBegun, 'within'>

export type WatchStatement = Watcher<StatementFacts, StatementEnded>

/** An observation that can always be relied on. */
export interface Watch<Ended> {
  run<T>(work: () => T): T
  end(ended: Ended): void
}

/** Begins to watch. `undefined`: nobody wants to. */
export type Watcher<Begun, Ended> = (begun: Begun) => Watch<Ended> | undefined

type Guard = <Begun, Ended>(begin: (begun: Begun) => Observation<Ended> | undefined) => Watcher<Begun, Ended>

/**
 * Makes what an observer gives safe to call: what it throws breaks nothing of what it watches. The log is told only of the
 * first thing: the next ones would be the same.
 */
export const guardWith = (log: Log): Guard => {
  let isTold = false
  const tell = (error: unknown): void => {
    if (isTold) return
    isTold = true
    log.error('The observer failed. What else it throws is not logged', error)
  }
  /** A rejection that nobody waits for would end the process. */
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      const given: unknown = act()
      if (given instanceof Promise) given.catch(tell)
      return given as T
    } catch (error) {
      tell(error)
      return undefined
    }
  }
  return (begin) => (begun) => {
    const observation = attempt(() => begin(begun))
    if (observation === undefined || observation === null) return undefined
    return {
      run: (work) => doneOnce(observation, work, tell),
      end: (ended) => {
        attempt(() => observation.end?.(ended))
      },
    }
  }
}

/** The work is done once, whether the observer does it, forgets it or fails, and what it gives is what is given. */
const doneOnce = <T>(observation: Observation<never>, work: () => T, tell: (error: unknown) => void): T => {
  if (observation.run === undefined) return work()
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined
  const once = (): T => {
    try {
      outcome ??= { value: work() }
    } catch (error) {
      outcome = { error }
    }
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  try {
    observation.run(once)
  } catch (error) {
    if (outcome === undefined || !('error' in outcome) || outcome.error !== error) tell(error)
  }
  return once()
}
