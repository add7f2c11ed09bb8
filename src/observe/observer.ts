import type { Log } from './log.ts'

/** The start of an operation, which serves one request. */
export interface OperationBegun {
  /** The `operationId` in the OpenAPI document: `listProducts`. */
  readonly operationId: string
  /** The model of the operation. `undefined`: none, for example for a login. */
  readonly model: string | undefined
  /** The method of the request. HEAD is served by the GET operation. */
  readonly method: string
  /** The path template in the OpenAPI document, with the base: `/api/products/{id}`. */
  readonly route: string
  /** `http` or `https`, as far as the host knows. */
  readonly scheme: string
  /** The path of the request, including keys. */
  readonly path: string
  /** Part of log lines and of responses of 500 and above. */
  readonly requestId: string
  /** A header of the request by its lower-case name. */
  header(name: string): string | undefined
}

/** The end of an operation: its response is ready to be sent. */
export interface OperationEnded {
  /** The status of the response. `undefined`: none was sent, because the client had disconnected. */
  readonly status: number | undefined
  /** The problem code of an error, see docs/errors.md. `undefined`: no error, or an error of the application's own code. */
  readonly code: string | undefined
  /** The duration in seconds. */
  readonly seconds: number
  /** Whether the caller was authenticated. The identity of the caller is not passed to observers. */
  readonly hasCaller: boolean
}

/** The start of a statement that is sent to the database. */
export interface StatementBegun {
  readonly system: 'sqlite' | 'postgresql' | 'mysql'
  /** The first word of the statement in lower case, without a WITH clause: `select`, `insert`, `update`, `delete`. */
  readonly operation: string
  /** The model of the statement. `undefined`: none or several. */
  readonly model: string | undefined
  /** The table in the database, with its schema if it was declared with one: `auth.users`. */
  readonly table: string | undefined
  /** The statement with placeholders instead of values. */
  readonly text: string
  /**
   * The operation that sends the statement. `undefined`: none, for example at startup. A count that several operations
   * share belongs to the first of them.
   */
  readonly within: OperationBegun | undefined
}

/** The end of a statement. */
export interface StatementEnded {
  /** The duration in seconds, including the wait for a connection. */
  readonly seconds: number
  /** The kind of error: `unique`, `foreign-key`, `unavailable`, `unknown`, … `undefined`: no error. */
  readonly error: string | undefined
  /** The driver's error code, if there is one: `23505`, `SQLITE_BUSY`, `ECONNREFUSED`. */
  readonly code: string | undefined
}

/** Watches one operation or statement. */
export interface Observation<Ended> {
  /**
   * Calls `work` and returns its result. A context that is active during the call, such as an `AsyncLocalStorage`, is
   * active for everything that the work does. For an operation with a body, it is called again after the body has
   * arrived.
   * @default calls `work`
   */
  run?<T>(work: () => T): T
  /** Called once, when the operation or statement has ended. */
  end?(ended: Ended): void
}

/**
 * Receives the start and the end of every operation and statement, for metrics and traces. It does not receive values, user
 * names or messages of drivers. An error that it throws is logged once and does not affect the request. See
 * docs/observability.md.
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
  /** Called when an operation begins. Return `undefined` to ignore this operation. */
  operation?(begun: OperationBegun): Observation<OperationEnded> | undefined
  /** Called when a statement begins. Return `undefined` to ignore this statement. */
  statement?(begun: StatementBegun): Observation<StatementEnded> | undefined
}

/** The facts that a source knows about a statement, the same each time that it is sent. */
export type StatementFacts = Omit<StatementBegun, 'within'>

/** Begins the observation of a statement. `undefined`: the observer is not interested. */
export type WatchStatement = Watcher<StatementFacts, StatementEnded>

/** An observation whose functions never throw. */
export interface Watch<Ended> {
  run<T>(work: () => T): T
  end(ended: Ended): void
}

/** Begins an observation. `undefined`: the observer is not interested. */
export type Watcher<Begun, Ended> = (begun: Begun) => Watch<Ended> | undefined

type WatchSafely = <Begun, Ended>(
  begin: (begun: Begun) => Observation<Ended> | undefined,
) => Watcher<Begun, Ended>

/**
 * Makes an observer safe to call: its errors do not affect the observed work. Only the first error is logged, because
 * further ones would be the same.
 */
export const guardWith = (log: Log): WatchSafely => {
  let isLogged = false
  const report = (error: unknown): void => {
    if (isLogged) return
    isLogged = true
    log.error('The observer failed. Its further errors are not logged', error)
  }
  /** An unhandled rejection would end the process. */
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      const given: unknown = act()
      if (given instanceof Promise) given.catch(report)
      return given as T
    } catch (error) {
      report(error)
      return undefined
    }
  }
  return (begin) => (begun) => {
    const observation = attempt(() => begin(begun))
    if (observation === undefined || observation === null) return undefined
    return {
      run: (work) => doneOnce(observation, work, report),
      end: (ended) => {
        attempt(() => observation.end?.(ended))
      },
    }
  }
}

/** Runs the work exactly once, whether the observer calls it, forgets it or fails, and returns its result. */
const doneOnce = <T>(observation: Observation<never>, work: () => T, report: (error: unknown) => void): T => {
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
    if (outcome === undefined || !('error' in outcome) || outcome.error !== error) report(error)
  }
  return once()
}
