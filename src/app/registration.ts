import { controllersOf } from '../controller/class.ts'
import { findControllers } from '../controller/discovery.ts'
import { type Controller, hookNames, hookTable, permissionActs } from '../controller/hooks.ts'
import { StartError } from '../error/errors.ts'
import { type Check, healthOperations, readHealth } from '../health/index.ts'
import type { Model } from '../model/model.ts'
import { reservedPaths } from '../model/served.ts'
import type { Operation } from '../operation/operation.ts'
import { shownRow } from '../resource/files.ts'
import { operationsOf } from '../resource/index.ts'
import { resourcesOf } from '../resource/resource.ts'
import { customBodiesOf } from '../schema/custom/index.ts'
import { customPowers, withOwnRecord } from './authentication.ts'
import type { ModelRestOptions } from './options.ts'
import { inspection, type Setup } from './setup.ts'
import { assertFree, assertTables } from './start-checks.ts'

/** What is served once everything is registered. */
export interface Registration {
  /** With what users may write of their own record. */
  readonly models: readonly Model[]
  readonly operations: readonly Operation[]
  /** Where controllers were found, for the log. */
  readonly controllers: string
}

/**
 * Finds the controllers, makes the operations of authentication and of all models, and mounts them.
 *
 * @throws StartError for what cannot be served
 */
export const register = async (setup: Setup): Promise<Registration> => {
  const { host, options, authentication, files, serve } = setup
  const { models: source, customSchemas = {}, isAsync = true } = options
  const { auth, users, notes: authNotes } = authentication
  assertHealthFree(setup)
  const { controllers: found, summary } = await controllersFor(options, setup.models, setup.calling)
  const {
    models,
    controllers,
    notes: userNotes,
  } = withOwnRecord({ models: setup.models, controllers: found }, users, options)
  const { bodies, notes } = await customBodiesOf(customSchemas, models, isAsync)
  const surroundings = {
    ...{ source, controllers, commits: setup.commits, bodies, files: files.setup, media: setup.media },
    ...(auth && { authenticate: auth.authenticate, writeProblems: auth.writeProblems }),
  }
  const resources = resourcesOf(models, surroundings, setup.limits)
  const ofUsers = resources.find(({ model: { name } }) => name === users?.model.name)
  // Replies of authentication show users as those of their model do.
  const ofAuth = auth?.operations(ofUsers && ((row) => shownRow(ofUsers, row))) ?? []
  assertFree(host, setup.models, ofAuth)
  if (inspection()?.checksStorage ?? true) {
    await assertTables(source, users === undefined ? models : [...models, users.model], host.log)
    await files.check()
  }
  if (files.readsForms) await host.readForms(files.setup)
  const operations = Object.freeze([...ofAuth, ...resources.flatMap(operationsOf)])
  await host.mount(operations, serve)
  const health = healthOperationsOf(setup)
  if (health.length > 0) await host.mount(health, setup.unobserved)
  for (const note of [...notes, ...authNotes, ...userNotes, ...customPowers(users, bodies)])
    host.log.warn(note)
  return { models, operations, controllers: summary }
}

/** The controllers of an application, and where they were found. */
interface ApplicationControllers {
  readonly controllers: ReadonlyMap<string, Controller>
  readonly summary: string
}

/** Finds the controllers that the options mean. @throws StartError for every one that could not work */
const controllersFor = async (
  { models: source, controllers: given, settings, isAsync = true, auth = false }: ModelRestOptions<unknown>,
  served: readonly Model[],
  calling: string | undefined,
): Promise<ApplicationControllers> => {
  const { synchronous, transactions } = source.capabilities
  const apps = [...new Set(source.models.map(({ app }) => app))]
  const found = await findControllers({ given, baseDir: settings?.BASE_DIR, apps, calling })
  const models = { served, described: source.models }
  const controllers = controllersOf(found.controllers, models, { isAsync, oneTick: synchronous })
  if (auth === false) for (const controller of controllers.values()) assertNobodyNeeded(controller)
  if (!transactions) for (const controller of controllers.values()) assertNoTransaction(controller)
  return { controllers, summary: found.summary }
}

/** Nobody could ever do it. */
const assertNobodyNeeded = ({ place, permissions }: Controller): void => {
  const act = permissionActs.find((known) => permissions[known] === 'authenticated')
  if (act === undefined) return
  throw new StartError(
    `${place}: permissions.${act} is 'authenticated', but there is no authentication. Give one: auth: { authenticate: (request) => … }.`,
  )
}

const assertNoTransaction = ({ place, hooks, permissions }: Controller): void => {
  const hook = hookNames.find(
    (known) => hooks[known] !== undefined && (known === 'scope' || hookTable[known].inTransaction),
  )
  const act = (['update', 'delete'] as const).find((known) => typeof permissions[known] === 'function')
  const name = hook ?? (act && `permissions.${act}`)
  if (name === undefined) return
  throw new StartError(
    `${place}: ${name} needs transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )
}

/** What serves health, where the options ask for it: the database, the cache of stateful sessions, and what they add. */
const healthOperationsOf = (setup: Setup): readonly Operation[] => {
  const health = readHealth(setup.options.health)
  if (health === undefined) return []
  const { path, timeout, checks: given } = health
  const checks = [...ownChecks(setup), ...Object.entries(given).map(([name, run]) => ({ name, run }))]
  return healthOperations({ path, timeout, checks, closing: setup.closing.signal })
}

const ownChecks = ({ options, authentication: { auth } }: Setup): readonly Check[] => {
  const { models: source } = options
  const cache = auth?.cache
  return [
    { name: 'database', run: () => source.ping() },
    ...(cache === undefined ? [] : [{ name: 'cache', run: () => cache.get('health') }]),
  ]
}

/** @throws StartError where something else is served at the path of health */
const assertHealthFree = ({ options, host, models }: Setup): void => {
  const path = readHealth(options.health)?.path
  if (path === undefined) return
  const remedy = "Give health another one: health: { path: '…' }."
  const [first = path] = path.split('/')
  if (first !== 'health' && reservedPaths(models).includes(first))
    throw new StartError(`health.path: the path /${first} is reserved. ${remedy}`)
  const model = models.find((known) => known.path === first)
  if (model !== undefined)
    throw new StartError(`${model.name} and health have the same path /${first}. ${remedy}`)
  for (const probe of ['live', 'ready']) {
    const url = `${host.base}/${path}/${probe}`
    if (host.serves('GET', url)) throw new StartError(`The application serves GET ${url} already. ${remedy}`)
  }
}
