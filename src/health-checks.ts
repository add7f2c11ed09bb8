import { StartError } from './error/start-error.ts'
import { type Check, healthOperations, readHealth } from './health/index.ts'
import { reservedPaths } from './model/served.ts'
import type { Operation } from './operation/operation.ts'
import type { Setup } from './setup.ts'

/** What serves health, where the options ask for it: the database, the cache of stateful sessions, and what they add. */
export const healthOperationsOf = (setup: Setup): readonly Operation[] => {
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
export const assertHealthFree = ({ options, host, models }: Setup): void => {
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
