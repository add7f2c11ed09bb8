import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type Meter,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { StartError, suggest } from '../error/errors.ts'
import type { Observer, OperationBegun, OperationEnded, StatementBegun, StatementEnded } from './observer.ts'

/** What {@link openTelemetryObserver} takes. */
export interface OpenTelemetryOptions {
  /** Makes the spans. @default that of the SDK that was started: `trace.getTracer('modelrest')` */
  readonly tracer?: Tracer
  /** Makes the histograms. @default that of the SDK that was started: `metrics.getMeter('modelrest')` */
  readonly meter?: Meter
}

/** In seconds, as the semantic conventions advise. */
const boundaries = {
  http: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  database: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
}

const names = ['tracer', 'meter'] satisfies readonly (keyof OpenTelemetryOptions)[]

/**
 * An observer that makes traces and metrics by the semantic conventions of OpenTelemetry for HTTP and for databases: a
 * span for each operation and, inside of it, one for each statement; the histograms `http.server.request.duration` and
 * `db.client.operation.duration`. Start the SDK before it is called, as `--import` does: a meter that is asked for earlier
 * measures nothing.
 *
 * @throws StartError for an option that there is not
 * @example
 * ```ts
 * import { ModelRest, fetchApp } from 'modelrest/fetch'
 * import { openTelemetryObserver } from 'modelrest/opentelemetry'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<(request: Request) => Promise<Response>> => {
 *   const app = fetchApp({ base: '/api' })
 *   await new ModelRest(app, { models, observer: openTelemetryObserver() }).init()
 *   return app.fetch
 * }
 * ```
 */
export const openTelemetryObserver = (options: OpenTelemetryOptions = {}): Observer => {
  for (const name of Object.keys(options)) {
    if (!names.some((known) => known === name))
      throw new StartError(`openTelemetryObserver: there is no option ${name}.${suggest(name, names)}`)
  }
  const { tracer = trace.getTracer('modelrest'), meter = metrics.getMeter('modelrest') } = options
  const contexts = new WeakMap<OperationBegun, Context>()
  return Object.freeze<Observer>({
    operation: traceOperations({
      ...{ tracer, contexts },
      duration: meter.createHistogram('http.server.request.duration', {
        description: 'Duration of HTTP server requests.',
        unit: 's',
        advice: { explicitBucketBoundaries: boundaries.http },
      }),
    }),
    statement: traceStatements({
      ...{ tracer, contexts },
      duration: meter.createHistogram('db.client.operation.duration', {
        description: 'Duration of database client operations.',
        unit: 's',
        advice: { explicitBucketBoundaries: boundaries.database },
      }),
    }),
  })
}

/** What spans of operations are made with. */
interface OperationTracing {
  readonly tracer: Tracer
  readonly duration: Histogram
  /** The context of each operation that runs, for its statements. */
  readonly contexts: WeakMap<OperationBegun, Context>
}

/**
 * A span for each operation: the span of the server where nobody has made one, else one inside of that, which is told of
 * no more than what only we know.
 */
const traceOperations =
  ({ tracer, duration, contexts }: OperationTracing): NonNullable<Observer['operation']> =>
  (begun) => {
    const active = context.active()
    const isServer = !hasLocalSpan(active)
    const parent = isServer ? propagatedTo(active, begun) : active
    const span = isServer ? serverSpan(tracer, begun, parent) : innerSpan(tracer, begun, parent)
    const inside = trace.setSpan(parent, span)
    contexts.set(begun, inside)
    return {
      run: (work) => context.with(inside, work),
      end: (ended) => {
        endSpan(span, ended)
        if (isServer) duration.record(ended.seconds, durationAttributes(begun, ended), inside)
      },
    }
  }

const hasLocalSpan = (active: Context): boolean => {
  const span = trace.getSpan(active)
  return span !== undefined && span.spanContext().isRemote !== true
}

const headers: TextMapGetter<OperationBegun> = {
  get: (begun, name) => begun.header(name.toLowerCase()),
  keys: () => ['traceparent', 'tracestate', 'baggage'],
}

/** Where nobody has read the headers before us, and unless somebody has: their span is the parent then. */
const propagatedTo = (active: Context, begun: OperationBegun): Context =>
  trace.getSpan(active) === undefined ? propagation.extract(active, begun, headers) : active

const serverSpan = (tracer: Tracer, begun: OperationBegun, parent: Context): Span => {
  const attributes = {
    ...operationAttributes(begun),
    'http.request.method': begun.method,
    'url.scheme': begun.scheme,
    'url.path': begun.path,
  }
  return tracer.startSpan(`${begun.method} ${begun.route}`, { kind: SpanKind.SERVER, attributes }, parent)
}

const innerSpan = (tracer: Tracer, begun: OperationBegun, parent: Context): Span =>
  tracer.startSpan(
    begun.operationId,
    { kind: SpanKind.INTERNAL, attributes: operationAttributes(begun) },
    parent,
  )

const operationAttributes = ({ operationId, model, route, requestId }: OperationBegun): Attributes => ({
  'http.route': route,
  'modelrest.operation.id': operationId,
  'modelrest.model': model,
  'modelrest.request.id': requestId,
})

const endSpan = (span: Span, ended: OperationEnded): void => {
  span.setAttributes({
    ...endAttributes(ended),
    'modelrest.problem.code': ended.code,
    'modelrest.authenticated': ended.hasCaller,
  })
  // A refusal is the fault of the client, and no error of a server.
  if (isError(ended)) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

const isError = ({ status = 0 }: OperationEnded): boolean => status >= 500

const endAttributes = (ended: OperationEnded): Attributes => ({
  ...(ended.status !== undefined && { 'http.response.status_code': ended.status }),
  ...(isError(ended) && { 'error.type': ended.code ?? String(ended.status) }),
})

const durationAttributes = (begun: OperationBegun, ended: OperationEnded): Attributes => ({
  'http.request.method': begun.method,
  'url.scheme': begun.scheme,
  'http.route': begun.route,
  ...endAttributes(ended),
})

/** What spans of statements are made with. */
interface StatementTracing {
  readonly tracer: Tracer
  readonly duration: Histogram
  readonly contexts: WeakMap<OperationBegun, Context>
}

/** A span for each statement, inside of that of its operation. */
const traceStatements =
  ({ tracer, duration, contexts }: StatementTracing): NonNullable<Observer['statement']> =>
  (begun) => {
    const parent = parentOf(begun, contexts)
    const attributes = statementAttributes(begun)
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
const statementAttributes = ({ system, operation, table }: StatementBegun) => ({
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
