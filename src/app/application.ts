import { channel } from 'node:diagnostics_channel'
import { getHeapStatistics } from 'node:v8'
import { findUserModel } from '../auth/users/users.ts'
import { type Commits, commitsOf } from '../controller/commits.ts'
import { callingFiles } from '../controller/discovery.ts'
import { StartError } from '../error/errors.ts'
import { assertNode } from '../error/node-version.ts'
import { expressAdapter } from '../host/express/index.ts'
import { fastifyHost } from '../host/fastify/index.ts'
import { honoAdapter } from '../host/hono/index.ts'
import { carriedHost, type Host, type HostAdapter } from '../host/host.ts'
import { leasedServe } from '../host/leasing.ts'
import { observedServe, observingWith } from '../host/observing.ts'
import { guardedServe } from '../host/overload.ts'
import { insteadServe, type Serve, serveWith } from '../host/serve.ts'
import type { Model } from '../model/model.ts'
import { holdJson, type MemoryBudget, memoryBudget } from '../operation/memory-budget.ts'
import { bodyBoundsOf, type Operation } from '../operation/operation.ts'
import { runAsync, runSync } from '../operation/steps.ts'
import { paginationOf } from '../query/settings.ts'
import type { Limits } from '../resource/parts/resource.ts'
import { type Envelope, readEnvelope } from '../schema/envelope.ts'
import { repeatingSource } from '../source/repeating.ts'
import { forLog, type ModelSource } from '../source/source.ts'
import { assertOptions, type ModelRestOptions, type ResolvedSettings, resolveSettings } from './options.ts'
import { type SigningKey, signingKeyOf } from './signing-key.ts'

/** The parts of an application that do not depend on its controllers. */
export interface Application {
  readonly host: Host
  readonly inspection: Inspection
  readonly given: ModelRestOptions<unknown>
  readonly settings: ResolvedSettings
  /** Observed, and repeating transactions. Its relations have the names of the source. */
  readonly source: ModelSource<unknown>
  /** The user model, as the source describes it. */
  readonly user: Model | undefined
  readonly signingKey: SigningKey
  readonly limits: Limits
  readonly envelope: Envelope
  readonly serve: Serve
  /** For health checks: an observer does not receive their frequent statements, and an overload does not refuse them. */
  readonly unobserved: Serve
  readonly commits: Commits
  /** For all requests of the application. */
  readonly memory: MemoryBudget
  /** The files of the call stack that created the `ModelRest`, the innermost first. */
  readonly calling: readonly string[]
  /** Aborted by `close()`. */
  readonly closing: AbortController
}

/** Large records take memory several times: as the driver reads them, as values, as JSON, and until it is sent. */
const PART_OF_HEAP = 8

/** In bytes. Some runtimes, such as Cloudflare Workers, do not tell it. */
const heapLimit = (): number => {
  const limit: unknown = getHeapStatistics().heap_size_limit
  return typeof limit === 'number' && limit > 0 ? limit : 512 * 1024 * 1024
}

/** @throws StartError for a mistake in options or settings */
export const applicationOf = (app: object, given: ModelRestOptions<unknown>): Application => {
  assertNode()
  assertOptions(given)
  const { isAsync, observer } = given
  if (isAsync === false && !given.models.capabilities.synchronous) {
    throw new StartError('isAsync: false needs a synchronous database driver, such as better-sqlite3.')
  }
  const settings = resolveSettings(given.settings)
  const inspection = inspectionOf()
  const host = hostOf(app, inspection)
  const user = findUserModel(given.models.models, settings.AUTH_USER_MODEL)
  // Without SECRET_KEY, each call returns another key, and logs a warning.
  const signingKey = memoized(signingKeyOf(settings, host, user))
  const limits = limitsOf(given, settings, signingKey)
  const observing = observer && observingWith(observer, host.log)
  const observed = (observing && given.models.observed?.(observing.statement)) ?? given.models
  const source = repeatingSource(observed, limits.databaseRetries)
  const memory = memoryBudget(settings.MEMORY_IN_FLIGHT ?? Math.floor(heapLimit() / PART_OF_HEAP), {
    waits: isAsync !== false,
  })
  const unobserved = leasedServe(
    serveWith(
      isAsync === false ? runSync : runAsync,
      (error) => forLog(source, error),
      given.openapi?.codes,
      (bytes, call) => holdJson(memory, call, bytes),
    ),
    memory,
    host.reportsSent === true,
  )
  const serve = guardedServe(unobserved, {
    maxWaiting: settings.MAX_WAITING,
    queues: source.queues?.map((queue) => ({
      name: 'a connection to the database',
      waited: () => queue.waited(),
      passed: () => queue.passed(),
    })),
    log: host.log,
  })
  return Object.freeze<Application>({
    ...{ host, inspection, given, settings, source, user, signingKey, limits, unobserved },
    envelope: readEnvelope(given.envelope),
    serve: insteadServe(
      observing === undefined ? serve : observedServe(serve, observing.operation, host.base),
    ),
    commits: commitsOf(),
    memory,
    calling: callingFiles(),
    closing: new AbortController(),
  })
}

const memoized = (signingKey: SigningKey): SigningKey => {
  const keys = new Map<string, string>()
  return (purpose) => {
    const key = keys.get(purpose) ?? signingKey(purpose)
    keys.set(purpose, key)
    return key
  }
}

/** The limits of lists and bodies. */
const limitsOf = (
  { paginationType }: ModelRestOptions<unknown>,
  settings: ResolvedSettings,
  signingKey: SigningKey,
): Limits => {
  const paging = paginationOf(paginationType, settings.NINJA_PAGINATION_CLASS)
  const cursorSecret = (): string => signingKey('cursors')
  // Without a secret, an application with cursors does not start in production.
  if (paging.includes('cursor')) cursorSecret()
  return {
    paging,
    perPage: settings.NINJA_PAGINATION_PER_PAGE,
    maxLimit: settings.NINJA_PAGINATION_MAX_LIMIT,
    maxQueryBytes: settings.QUERY_MAX_BYTES,
    maxConditions: settings.QUERY_MAX_CONDITIONS,
    maxContains: settings.QUERY_MAX_CONTAINS,
    maxToMany: settings.QUERY_MAX_TO_MANY,
    maxSorts: settings.QUERY_MAX_SORTS,
    maxDepth: settings.QUERY_MAX_DEPTH,
    countBound: settings.QUERY_COUNT_BOUND,
    includePerRecord: settings.INCLUDE_PER_RECORD,
    includeMaxPerRecord: settings.INCLUDE_MAX_PER_RECORD,
    includeMaxDepth: settings.INCLUDE_MAX_DEPTH,
    includeMaxRelations: settings.INCLUDE_MAX_RELATIONS,
    includeMaxRecords: settings.INCLUDE_MAX_RECORDS,
    cursorSecret,
    bodyBounds: bodyBoundsOf(settings),
    pageBytes: settings.RESPONSE_MAX_BYTES,
    transactionTimeout: settings.TRANSACTION_TIMEOUT,
    databaseRetries: settings.DATABASE_RETRIES,
    maxChildren: settings.WRITE_MAX_CHILDREN,
    bulkMax: settings.BULK_MAX,
  }
}

/** The kinds of applications that do not carry their host. */
const adapters: readonly HostAdapter[] = [fastifyHost, expressAdapter, honoAdapter]

const attached = (app: object): Host => {
  const adapter = adapters.find((candidate) => candidate.accepts(app))
  if (adapter !== undefined) return adapter.attach(app)
  const names = adapters.map(({ name }) => name).join(', ')
  throw new StartError(
    `ModelRest: unknown kind of application. The first argument must be ${names}, a Nest application if you import ModelRest from modelrest/nest, an application from nodeApp() or fetchApp(), or one from defineHost().`,
  )
}

/** The host of an application. @throws StartError for an unknown kind of application */
export const hostOf = (app: object, { tell }: Inspection): Host => {
  const host = carriedHost(app) ?? attached(app)
  if (tell === undefined) return host
  const warn = (line: string) => tell('warning', line)
  return { ...host, log: { info: (line) => tell('info', line), warn, error: warn } }
}

/** The message of `inspectionChannel`: a tool that inspects an application, such as the command line, fills it in. */
export interface Inspection {
  /** Collects the `ModelRest` instances that are created. */
  generators?: object[]
  /** Whether the startup checks use the database and the storage. @default true, as in a service */
  checksStorage?: boolean
  /** Receives everything that a `ModelRest` serves once it has started, including operations that its document omits. */
  served?(generator: object, operations: readonly Operation[]): void
  /** Receives the startup lines, instead of the application's log. */
  tell?(kind: 'info' | 'warning', line: string): void
}

// A channel of Node, because the application and the tool may load different copies of this package.
const inspectionChannel = channel('modelrest.inspection')

/** Empty unless a tool, such as the command line, runs the application. */
export const inspectionOf = (): Inspection => {
  const inspection: Inspection = {}
  inspectionChannel.publish(inspection)
  return inspection
}
