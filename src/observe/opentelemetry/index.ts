import { type Context, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { StartError, suggest } from '../../error/start-error.ts'
import type { Observer, OperationBegun } from '../observer.ts'
import { traceOperations } from './operations.ts'
import { traceStatements } from './statements.ts'

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
