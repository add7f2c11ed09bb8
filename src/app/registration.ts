import { controllersOf } from '../controller/class.ts'
import { findControllers } from '../controller/discovery.ts'
import { type Controller, hookNames, hookTable, permissionActs } from '../controller/hooks.ts'
import { StartError } from '../error/errors.ts'
import { healthOperations, readHealth } from '../health/index.ts'
import type { Model } from '../model/model.ts'
import { hiddenByName, looksSecret, type SecretFields, secretKeyOf } from '../model/secret.ts'
import { reservedPaths } from '../model/served.ts'
import type { Operation } from '../operation/operation.ts'
import { shownRow } from '../resource/files.ts'
import { operationsOf } from '../resource/index.ts'
import { resourcesOf } from '../resource/resource.ts'
import { customBodiesOf } from '../schema/custom/index.ts'
import { assertTransactions } from '../source/source.ts'
import { customPowers, withOwnRecord } from './authentication.ts'
import type { Setup } from './setup.ts'
import { assertFree, assertTables } from './start-checks.ts'

/** What is served once everything is registered. */
export interface Registration {
  /** With what users may write of their own record. */
  readonly models: readonly Model[]
  readonly operations: readonly Operation[]
  /** What the log says of it. */
  readonly lines: readonly string[]
}

/**
 * Finds the controllers, makes the operations of authentication and of all models, and mounts them.
 *
 * @throws StartError for what cannot be served
 */
export const register = async (setup: Setup): Promise<Registration> => {
  const { host, options, authentication, files, serve } = setup
  const { models: source, customSchemas = {}, isAsync = true } = options
  const { auth, users } = authentication
  assertHealthFree(setup)
  const found = await controllersFor(setup)
  const { models, controllers, notes } = withOwnRecord(setup.models, found.controllers, users, options)
  const custom = await customBodiesOf(customSchemas, models, isAsync)
  const { bodies } = custom
  const surroundings = {
    ...{ source, controllers, commits: setup.commits, bodies, files: files.setup, media: setup.media },
    ...(auth && { authenticate: auth.authenticate, writeProblems: auth.writeProblems }),
  }
  const resources = resourcesOf(models, surroundings, setup.limits)
  // Replies of authentication show users as those of their model do.
  const ofUsers = resources.find(({ model }) => model.name === users?.model.name)
  const ofAuth = auth?.operations(ofUsers && ((row) => shownRow(ofUsers, row))) ?? []
  assertFree(host, setup.models, ofAuth)
  if (setup.inspection.checksStorage ?? true) {
    await assertTables(source, users === undefined ? models : [...models, users.model], host.log)
    await files.check()
  }
  if (files.readsForms) await host.readForms(files.setup.limits)
  const operations = Object.freeze([...ofAuth, ...resources.flatMap(operationsOf)])
  await host.mount(operations, serve)
  const health = healthOperationsOf(setup)
  if (health.length > 0) await host.mount(health, setup.unobserved)
  for (const note of [...custom.notes, ...authentication.notes, ...notes, ...customPowers(users, bodies)])
    host.log.warn(note)
  return {
    models,
    operations,
    lines: startLines(setup, models, counted(operations.length, 'route'), found.summary),
  }
}

/** @throws StartError for a controller that could not work */
const controllersFor = async ({ options, models, calling }: Setup) => {
  const { models: source, controllers: given, settings, isAsync = true, auth = false } = options
  const apps = [...new Set(source.models.map(({ app }) => app))]
  const found = await findControllers({ given, baseDir: settings?.BASE_DIR, apps, calling })
  const controllers = controllersOf(
    found.controllers,
    { served: models, described: source.models },
    { isAsync, oneTick: source.capabilities.synchronous },
  )
  for (const controller of controllers.values()) {
    if (auth === false) assertNobodyNeeded(controller)
    const name = transactionIn(controller)
    if (name !== undefined) assertTransactions(source, `${controller.place}: ${name} needs`)
  }
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

/** What of a controller runs in a transaction. */
const transactionIn = ({ hooks, permissions }: Controller): string | undefined => {
  const hook = hookNames.find(
    (known) => hooks[known] !== undefined && (known === 'scope' || hookTable[known].inTransaction),
  )
  const act = (['update', 'delete'] as const).find((known) => typeof permissions[known] === 'function')
  return hook ?? (act && `permissions.${act}`)
}

/** What serves health, where the options ask for it: the database, the cache of stateful sessions, and what they add. */
const healthOperationsOf = ({ options, authentication, closing }: Setup): readonly Operation[] => {
  const health = readHealth(options.health)
  if (health === undefined) return []
  const cache = authentication.auth?.cache
  const own = { database: () => options.models.ping(), ...(cache && { cache: () => cache.get('health') }) }
  const checks = [...Object.entries(own), ...Object.entries(health.checks)].map(([name, run]) => ({
    name,
    run,
  }))
  return healthOperations({ path: health.path, timeout: health.timeout, checks, closing: closing.signal })
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

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

const startLines = (
  { host, internal, secret, options }: Setup,
  models: readonly Model[],
  routes: string,
  controllers: string,
): readonly string[] => {
  const hidden = hiddenByName(models, secret)
  const keys = internal.filter((model) => secretKeyOf(model, secret).length > 0)
  const others = internal.filter((model) => !keys.includes(model)).map(({ app, name }) => `${app}.${name}`)
  const under = host.base === '' ? '/' : host.base
  const access = (options.auth ?? false) === false ? 'PUBLIC (auth: false)' : protection(models)
  return [
    `${counted(models.length, 'model')}, ${routes} under ${under}, ${access}, ${controllers}, docs ${host.base}/docs`,
    ...(hidden.length > 0 ? [`hidden by name: ${hidden.join(', ')}`] : []),
    ...(others.length > 0 ? [`internal, not served: ${others.join(', ')}`] : []),
    ...(keys.length > 0 ? [secretKeysLine(keys, secret)] : []),
    ...shownKeyLines(models),
  ]
}

const protection = (models: readonly Model[]): string => {
  const open = models
    .filter((model) => model.public !== undefined)
    .map((model) => (model.public === 'read' ? `${model.name} (read)` : model.name))
  return open.length === 0 ? 'protected' : `protected but for ${open.join(', ')}`
}

const secretKeysLine = (models: readonly Model[], secret: SecretFields): string => {
  const named = models.map((model) => `${model.app}.${model.name} (${secretKeyOf(model, secret).join(', ')})`)
  return `internal, because the key is a secret by its name: ${named.join(', ')}. modelConfig: { ${models[0]?.name}: { internal: false } } serves it.`
}

/** What the application has opened in spite of its name. */
const shownKeyLines = (models: readonly Model[]): readonly string[] => {
  const shown = models.flatMap(({ name, fields, primaryKey }) =>
    fields
      .filter((field) => primaryKey.includes(field.name) && looksSecret(field))
      .map((field) => `${name}.${field.name}`),
  )
  return shown.length === 0
    ? []
    : [`keys that stand in URLs and replies, secret by name: ${shown.join(', ')}`]
}
