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
import { assertKnown } from '../error/errors.ts'
import type {
  Observation,
  Observer,
  OperationBegun,
  OperationEnded,
  StatementBegun,
  StatementEnded,
} from './observer.ts'

/** The options of {@link openTelemetryObserver}. */
export interface OpenTelemetryOptions {
  /** Creates the spans. @default `trace.getTracer('modelrest')`, from the SDK that is running */
  readonly tracer?: Tracer
  /** Creates the histograms. @default `metrics.getMeter('modelrest')`, from the SDK that is running */
  readonly meter?: Meter
}

/** In seconds, as the semantic conventions recommend. */
const boundaries = {
  http: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  database: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
}

const names = ['tracer', 'meter'] satisfies readonly (keyof OpenTelemetryOptions)[]

/**
 * Creates an observer for traces and metrics, following the semantic conventions of OpenTelemetry for HTTP and
 * databases. It creates a span for each operation and a child span for each statement, and the histograms
 * `http.server.request.duration` and `db.client.operation.duration`, in seconds. Start the SDK before you call it, for
 * example with `node --import`. A meter that is created earlier does not measure anything.
 *
 * @throws StartError for an unknown option
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
  for (const name of Object.keys(options)) assertKnown('openTelemetryObserver: unknown option', name, names)
  const { tracer = trace.getTracer('modelrest'), meter = metrics.getMeter('modelrest') } = options
  /** The contexts of running operations, for their statements. */
  const contexts = new WeakMap<OperationBegun, Context>()
  const requests = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries.http },
  })
  const statements = meter.createHistogram('db.client.operation.duration', {
    description: 'Duration of database client operations.',
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries.database },
  })
  return Object.freeze<Observer>({
    // A server span if there is none yet; otherwise a child of it, with only the attributes that are specific to modelrest.
    operation: (begun) => {
      const active = context.active()
      const isServer = !hasLocalSpan(active)
      const parent = isServer ? propagatedTo(active, begun) : active
      const span = operationSpan(tracer, begun, isServer, parent)
      const inside = trace.setSpan(parent, span)
      contexts.set(begun, inside)
      return traced(span, inside, isServer ? requests : undefined, (ended: OperationEnded) =>
        operationEnding(begun, ended),
      )
    },
    statement: (begun) => {
      const parent = parentOf(begun, contexts)
      const shared = statementAttributes(begun)
      const attributes = { ...shared, 'db.query.text': begun.text }
      const span = tracer.startSpan(shared['db.query.summary'], { kind: SpanKind.CLIENT, attributes }, parent)
      const inside = trace.setSpan(parent, span)
      return traced(span, inside, statements, (ended: StatementEnded) => {
        const failure = failureOf(ended)
        return {
          isError: failure !== undefined,
          reported: { ...failure },
          measured: { ...shared, ...failure },
        }
      })
    },
  })
}

/** The result of an operation or statement. */
interface Ending {
  readonly isError: boolean
  /** Attributes of the span. */
  readonly reported: Attributes
  /** Attributes of the duration. They must have few values, because each combination is a series of the metric. */
  readonly measured: Attributes
}

/** Runs work inside a span. @param duration `undefined`: measured elsewhere */
const traced = <Ended extends { readonly seconds: number }>(
  span: Span,
  inside: Context,
  duration: Histogram | undefined,
  endingOf: (ended: Ended) => Ending,
): Observation<Ended> => ({
  run: (work) => context.with(inside, work),
  end: (ended) => {
    const { isError, reported, measured } = endingOf(ended)
    span.setAttributes(reported)
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    duration?.record(ended.seconds, measured, inside)
  },
})

const hasLocalSpan = (active: Context): boolean => {
  const span = trace.getSpan(active)
  return span !== undefined && span.spanContext().isRemote !== true
}

const headers: TextMapGetter<OperationBegun> = {
  get: (begun, name) => begun.header(name.toLowerCase()),
  keys: () => ['traceparent', 'tracestate', 'baggage'],
}

/** Reads the parent from the headers, unless there is a span already. */
const propagatedTo = (active: Context, begun: OperationBegun): Context =>
  trace.getSpan(active) === undefined ? propagation.extract(active, begun, headers) : active

const operationSpan = (tracer: Tracer, begun: OperationBegun, isServer: boolean, parent: Context): Span => {
  const { operationId, method, route } = begun
  const attributes = {
    'http.route': route,
    'modelrest.operation.id': operationId,
    'modelrest.model': begun.model,
    'modelrest.request.id': begun.requestId,
    ...(isServer && {
      'http.request.method': method,
      'url.scheme': begun.scheme,
      'url.path': begun.path,
    }),
  }
  return isServer
    ? tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    : tracer.startSpan(operationId, { kind: SpanKind.INTERNAL, attributes }, parent)
}

const operationEnding = (
  { method, scheme, route }: OperationBegun,
  { status, code, hasCaller }: OperationEnded,
): Ending => {
  // A rejected request is an error of the client, not of the server.
  const isError = (status ?? 0) >= 500
  const outcome = {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(isError && { 'error.type': code ?? String(status) }),
  }
  return {
    isError,
    reported: { ...outcome, 'modelrest.problem.code': code, 'modelrest.authenticated': hasCaller },
    measured: {
      'http.request.method': method,
      'url.scheme': scheme,
      'http.route': route,
      ...outcome,
    },
  }
}

/** Without a context manager, no context is ever active, but the operation of the statement is known. */
const parentOf = ({ within }: StatementBegun, contexts: WeakMap<OperationBegun, Context>): Context => {
  const active = context.active()
  if (trace.getSpan(active) !== undefined || within === undefined) return active
  return contexts.get(within) ?? active
}

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

/** An SQLSTATE or a SQLite code. Other codes come from the driver or the network: `ECONNREFUSED`. */
const ofDatabase = /^(?=.*\d)[0-9A-Z]{5}$|^SQLITE_/
