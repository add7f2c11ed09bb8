import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Observer, OperationBegun, OperationEnded } from '../observer.ts'

/** What spans of operations are made with. */
export interface OperationTracing {
  readonly tracer: Tracer
  readonly duration: Histogram
  /** The context of each operation that runs, for its statements. */
  readonly contexts: WeakMap<OperationBegun, Context>
}

/**
 * A span for each operation: the span of the server where nobody has made one, else one inside of that, which is told of
 * no more than what only we know.
 */
export const traceOperations =
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
    ...attributesOf(begun),
    'http.request.method': begun.method,
    'url.scheme': begun.scheme,
    'url.path': begun.path,
  }
  return tracer.startSpan(`${begun.method} ${begun.route}`, { kind: SpanKind.SERVER, attributes }, parent)
}

const innerSpan = (tracer: Tracer, begun: OperationBegun, parent: Context): Span =>
  tracer.startSpan(begun.operationId, { kind: SpanKind.INTERNAL, attributes: attributesOf(begun) }, parent)

const attributesOf = ({ operationId, model, route, requestId }: OperationBegun): Attributes => ({
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
