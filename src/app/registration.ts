import { controllersOf } from '../controller/class.ts'
import { allActs, type Controller } from '../controller/controller.ts'
import { linkedModel } from '../controller/controller-for.ts'
import type { FoundControllers } from '../controller/discovery.ts'
import { hookNames, hookTable } from '../controller/hooks.ts'
import { withScopeOption } from '../controller/scope-option.ts'
import { StartError } from '../error/errors.ts'
import { oldNode } from '../error/node-version.ts'
import { healthOperations, readHealth } from '../health/index.ts'
import { nothingHere, wrongMethod } from '../host/serve.ts'
import type { Model } from '../model/model.ts'
import { pureJoins } from '../model/setup/pure-joins.ts'
import { reservedPaths } from '../model/setup/served.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { wait } from '../operation/steps.ts'
import { accessOperation } from '../resource/caller-access.ts'
import { openedRelations, touching, withheldIncludes } from '../resource/document/related.ts'
import { detailSuccess } from '../resource/document/responses.ts'
import { vocabularyOf } from '../resource/document/vocabulary.ts'
import { resourcesIn, resourcesOf } from '../resource/parts/building.ts'
import { declaredOf } from '../resource/parts/declared.ts'
import { listParsers } from '../resource/parts/parsers.ts'
import type { ResourceParts } from '../resource/parts/resource.ts'
import { operationsPerCaller } from '../resource/per-caller.ts'
import { detailTouches, recordShown } from '../resource/read/operations.ts'
import { assertBulk, assertNested, assertRestorable } from '../resource/write/start-checks.ts'
import { customBodiesOf } from '../schema/custom/index.ts'
import type { Vocabulary } from '../schema/vocabulary.ts'
import { assertTransactions, type Row } from '../source/source.ts'
import { assertActions } from './action-checks.ts'
import { assertManaged, customPowers, withOwnRecord } from './authentication.ts'
import { unreplaced } from './replaced.ts'
import type { Setup } from './setup.ts'
import { assertFree, assertStampable, type TableCheck, tableCheckOf } from './start-checks.ts'
import { startLines } from './start-lines.ts'
import { withoutUnsettable } from './unset-fields.ts'

/** The result of registering everything. */
export interface Registration {
  /** With the rule for users applied. */
  readonly models: readonly Model[]
  /** By model name, with all scopes. */
  readonly controllers: ReadonlyMap<string, Controller>
  readonly operations: readonly Operation[]
  /** The machine-readable part of the document. */
  readonly vocabulary: () => Vocabulary
  /** The operations that routes of the application replace. */
  readonly replaced: readonly Operation[]
  /** The health endpoints. */
  readonly probes: readonly Operation[]
  /** The startup log lines. */
  readonly lines: readonly string[]
}

/**
 * Loads the controllers, creates the operations of authentication and of all models, and mounts them.
 *
 * @throws StartError for a mistake in options, controllers or models
 */
export const registerOperations = async (setup: Setup, found: FoundControllers): Promise<Registration> => {
  const { host, options, authentication, files, serve } = setup
  const { models: source } = options
  const { auth, users } = authentication
  assertHealthFree(setup)
  const own = controllersFor(setup, found)
  assertManaged(own.values(), authentication, setup.settings)
  const ruled = withOwnRecord(setup.models, own, authentication, options)
  assertStampable(ruled.models, options.auth ?? false, users?.model.name)
  const controllers = withSharedScope(ruled.controllers, setup)
  const { notes, ...schemas } = await readSchemas(setup, ruled.models, controllers)
  const { bodies } = schemas
  const registers = auth === undefined ? setup.user?.name : undefined
  const creatable = withoutUnsettable(ruled.models, {
    ...{ source, users, registers, own, controllers, bodies },
  })
  // Errors below follow from it.
  for (const note of creatable.notes) host.log.warn(note)
  const { models } = creatable
  const parts: ResourceParts = {
    ...{ source, controllers, ...schemas },
    ...{
      commits: setup.commits,
      memory: setup.memory,
      files: files.setup,
      media: setup.media,
      envelope: setup.envelope,
      pureJoins: pureJoins(setup.configured, {
        modelConfig: options.modelConfig,
        controlled: new Set(found.controllers.flatMap(({ controller }) => linkedModel(controller) ?? [])),
      }),
      parsers: listParsers(),
    },
    codes: options.openapi?.codes,
    audit: setup.audit,
    ownAuthentication: typeof options.auth === 'object',
    ...(auth && { authenticate: auth.authenticate, authProblems: auth.problems }),
  }
  const resources = resourcesOf(models, parts, setup.limits)
  for (const resource of resources) {
    assertNested(resource)
    assertRestorable(resource)
    assertBulk(resource)
  }
  // Their callers are authenticated before it is known how models are narrowed.
  const known = auth && { authenticate: ({ caller }: Call) => wait(caller) }
  const perCaller = operationsPerCaller(resources, {
    narrowedTo: (narrowed, narrowing) =>
      resourcesIn(narrowed, { ...parts, ...known, narrowing }, setup.limits),
    absent: ({ path, method }, methods) =>
      methods.length === 0 ? nothingHere(path) : wrongMethod(method, methods),
  })
  // Responses of authentication show a user as the endpoints of the user model do.
  const ofUsers = resources.find(({ model }) => model.name === users?.model.name)
  const shownUsers = ofUsers && {
    success: detailSuccess(ofUsers, 200, ''),
    models: touching(ofUsers, detailTouches(ofUsers.rules))(''),
    *text(row: Row, call: Call) {
      return yield* recordShown(yield* perCaller.ofCaller(ofUsers, call), row, call)
    },
  }
  const ofAuth = auth?.operations(shownUsers) ?? []
  const access = accessOperation(resources, perCaller)
  // That of another `ModelRest`, or a route of the application.
  const isTaken = host.serves?.(access.method, host.base + access.path) === true
  const offered = [...perCaller.operations, ...(isTaken ? [] : [access])]
  const { operations: ofModels, replaced: byRoutes } = await unreplaced(host, offered)
  const replaced = isTaken ? [...byRoutes, access] : byRoutes
  const operations = Object.freeze([...ofAuth, ...ofModels])
  assertFree(host, ofModels, ofAuth)
  assertActions(host, resources, operations)
  const used = [...models, users?.model, setup.entries, setup.keys].filter((model) => model !== undefined)
  const tables = tableCheckOf(source, [...new Map(used.map((model) => [model.name, model])).values()])
  if (setup.inspection.checksStorage ?? true) {
    await tables.atStart(host.log)
    await files.check()
  }
  if (files.readsForms) await host.readForms?.(files.setup.limits)
  const mounted = operations.filter(({ isInstead }) => isInstead !== true)
  await host.mount(mounted, serve)
  const probes = healthOperationsOf(setup, tables)
  if (probes.length > 0) await host.mount(probes, setup.unobserved)
  const old = oldNode(process.versions)
  const warnings = [
    ...notes,
    ...(old === undefined ? [] : [`${old.sentence} Update Node, because modelrest is not tested with it.`]),
    ...authentication.notes,
    ...ruled.notes,
    ...customPowers(users, bodies),
  ]
  for (const warning of warnings) host.log.warn(warning)
  return {
    models,
    controllers,
    operations,
    vocabulary: () => vocabularyOf(resources, operations),
    replaced,
    probes,
    lines: startLines(setup, {
      models,
      controllers,
      own,
      routes: operations.length,
      summary: found.summary,
      replaced,
      opened: resources.flatMap((resource) => openedRelations(resource, parts.pureJoins)),
      withheld: resources.flatMap((resource) =>
        withheldIncludes(resource).map((each) => ({ ...each, of: resource.model.name })),
      ),
    }),
  }
}

/** The schemas of the application, by model name: custom bodies, computed fields and actions. */
const readSchemas = async (
  { options: { customSchemas = {}, isAsync = true } }: Setup,
  models: readonly Model[],
  controllers: ReadonlyMap<string, Controller>,
) => {
  const custom = await customBodiesOf(customSchemas, models, isAsync)
  const declared = await declaredOf(controllers, models, isAsync)
  return { ...declared, bodies: custom.bodies, notes: [...custom.notes, ...declared.notes] }
}

/** @throws StartError for a controller that cannot work */
const controllersFor = ({ options, models }: Setup, found: FoundControllers) => {
  const { models: source, isAsync = true, auth = false } = options
  const controllers = controllersOf(
    found.controllers,
    { served: models, described: source.models },
    { isAsync, oneTick: source.capabilities.synchronous === true },
  )
  for (const controller of controllers.values()) {
    if (auth === false) assertNoCallerNeeded(controller)
    const name = transactionIn(controller)
    if (name !== undefined) assertTransactions(source, `${controller.place}: ${name} needs`)
  }
  return controllers
}

/** @throws StartError if the option `scope` cannot work */
const withSharedScope = (
  controllers: ReadonlyMap<string, Controller>,
  { options: { models: source, scope, isAsync = true } }: Setup,
): ReadonlyMap<string, Controller> => {
  if (scope === undefined) return controllers
  if (!isAsync && Object.prototype.toString.call(scope) === '[object AsyncFunction]')
    throw new StartError(
      'The option scope is an async function, but isAsync is false. Write it without async, or remove isAsync.',
    )
  assertTransactions(source, 'The option scope needs')
  return withScopeOption(controllers, source.models, scope)
}

/** @throws StartError for a permission that could never be given */
const assertNoCallerNeeded = ({ place, permissions, actions = [] }: Controller): void => {
  const act =
    allActs.find((known) => permissions[known] === 'authenticated') ??
    actions.find(({ permission }) => permission === 'authenticated')?.name
  if (act === undefined) return
  throw new StartError(
    `${place}: permissions.${act} is 'authenticated', which needs the option auth. Set auth: true, or auth: { authenticate: (request) => … }.`,
  )
}

/** The name of a hook, permission or action that runs in a transaction. */
const transactionIn = ({ hooks, permissions, actions }: Controller): string | undefined => {
  const hook = hookNames.find(
    (known) => hooks[known] !== undefined && (known === 'scope' || hookTable[known].inTransaction),
  )
  const act = (['update', 'delete'] as const).find((known) => typeof permissions[known] === 'function')
  const [action] = actions ?? []
  return hook ?? (act && `permissions.${act}`) ?? (action && `actions.${action.name}`)
}

/** The health endpoints, if enabled: they check the database, the cache of stateful sessions, and the application's checks. */
const healthOperationsOf = (
  { options, authentication, closing }: Setup,
  tables: TableCheck,
): readonly Operation[] => {
  const health = readHealth(options.health)
  if (health === undefined) return []
  const cache = authentication.auth?.cache
  const database = async (): Promise<void> => {
    await options.models.ping()
    await tables.later()
  }
  const own = { database, ...(cache && { cache: () => cache.get('health') }) }
  const checks = [...Object.entries(own), ...Object.entries(health.checks)].map(([name, run]) => ({
    name,
    run,
  }))
  return healthOperations({ path: health.path, timeout: health.timeout, checks, closing: closing.signal })
}

/** @throws StartError if the health path is already in use */
const assertHealthFree = ({ options, host, models }: Setup): void => {
  const path = readHealth(options.health)?.path
  if (path === undefined) return
  const remedy = "Set another path: health: { path: '…' }."
  const [first = path] = path.split('/')
  if (first !== 'health' && reservedPaths(models).includes(first))
    throw new StartError(`health.path: the path /${first} is reserved. ${remedy}`)
  const model = models.find((known) => known.path === first)
  if (model !== undefined)
    throw new StartError(`${model.name} and health have the same path /${first}. ${remedy}`)
  for (const probe of ['live', 'ready']) {
    const url = `${host.base}/${path}/${probe}`
    if (host.serves?.('GET', url))
      throw new StartError(`The application already serves GET ${url}. ${remedy}`)
  }
}
