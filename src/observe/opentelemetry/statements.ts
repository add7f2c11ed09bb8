import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Observer, OperationBegun, StatementBegun, StatementEnded } from '../observer.ts'

/** What spans of statements are made with. */
export interface StatementTracing {
  readonly tracer: Tracer
  readonly duration: Histogram
  readonly contexts: WeakMap<OperationBegun, Context>
}

/** A span for each statement, inside of that of its operation. */
export const traceStatements =
  ({ tracer, duration, contexts }: StatementTracing): NonNullable<Observer['statement']> =>
  (begun) => {
    const parent = parentOf(begun, contexts)
    const attributes = attributesOf(begun)
    const span = tracer.startSpan(
      attributes['db.query.summary'],
      { kind: SpanKind.CLIENT, attributes: { ...attributes, 'db.query.text': begun.text } },
      parent,
    )
    const inside = trace.setSpan(parent, span)
    return {
      run: (work) => context.with(inside, work),
      end: (ended) => {
        const failure = failureOf(ended)
        if (failure !== undefined) span.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR })
        span.end()
        duration.record(ended.seconds, { ...attributes, ...failure }, inside)
      },
    }
  }

/** Without a context manager no context is ever active, but we know whose statement it is. */
const parentOf = ({ within }: StatementBegun, contexts: StatementTracing['contexts']): Context => {
  const active = context.active()
  if (trace.getSpan(active) !== undefined || within === undefined) return active
  return contexts.get(within) ?? active
}

/** Few different ones: they make the series of a metric. */
const attributesOf = ({ system, operation, table }: StatementBegun) => ({
  'db.system.name': system,
  'db.operation.name': operation,
  'db.query.summary': table === undefined ? operation : `${operation} ${table}`,
  ...(table !== undefined && { 'db.collection.name': table }),
})

const failureOf = ({ error, code }: StatementEnded): Attributes | undefined => {
  if (error === undefined) return undefined
  const isOfDatabase = code !== undefined && ofDatabase.test(code)
  return { 'error.type': code ?? error, ...(isOfDatabase && { 'db.response.status_code': code }) }
}

/** An SQLSTATE, or SQLite's own. Others come from the driver, or from the way to the database: `ECONNREFUSED`. */
const ofDatabase = /^(?=.*\d)[0-9A-Z]{5}$|^SQLITE_/
