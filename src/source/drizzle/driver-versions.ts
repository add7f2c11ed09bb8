import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { StartError } from '../../error/start-error.ts'
import { entityNames } from './entity.ts'

/** A driver, and the smallest of its versions that is served. */
interface Driver {
  readonly name: string
  readonly least: string
}

/**
 * The smallest versions, by drizzle's name of the session: the oldest that the contract of sources was run on, and of
 * better-sqlite3 the first that has binaries for the oldest Node.js. mysql2 before 3.17 also writes an object into a statement
 * as assignments of columns. package.json states the same as optional peers.
 */
export const drivers: ReadonlyMap<string, Driver> = new Map([
  ['BetterSQLiteSession', { name: 'better-sqlite3', least: '11.0.0' }],
  ['LibSQLSession', { name: '@libsql/client', least: '0.14.0' }],
  ['NodePgSession', { name: 'pg', least: '8.11.0' }],
  ['PostgresJsSession', { name: 'postgres', least: '3.4.0' }],
  ['PgliteSession', { name: '@electric-sql/pglite', least: '0.2.17' }],
  ['MySql2Session', { name: 'mysql2', least: '3.20.0' }],
])

/**
 * The version of a package as this one finds it, which is what npm gives a peer. `undefined`: it cannot be told, as in a
 * bundle.
 */
export const installedVersion = (name: string): string | undefined => {
  // Not every runtime has it.
  const find: unknown = Reflect.get(nodeModule, 'findPackageJSON')
  if (typeof find !== 'function') return undefined
  try {
    const { version }: { version?: unknown } = JSON.parse(readFileSync(find(name, import.meta.url), 'utf8'))
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** @throws StartError where the driver of a drizzle database is known to be too old */
export const assertDriver = (
  db: object,
  versionOf: (name: string) => string | undefined = installedVersion,
): void => {
  const session: unknown = Reflect.get(db, 'session')
  const names = typeof session === 'object' && session !== null ? entityNames(session) : []
  const driver = names.map((name) => drivers.get(name)).find((known) => known !== undefined)
  const found = driver && versionOf(driver.name)
  if (driver === undefined || found === undefined || !isBefore(found, driver.least)) return
  throw new StartError(
    `drizzleModels: ${driver.name} ${found} is too old: ${driver.least} or later is needed. Install it: npm install ${driver.name}@latest.`,
  )
}

/** By the numbers; what follows a hyphen says of a version only that it is nearly there. */
const isBefore = (version: string, least: string): boolean => {
  const [own, other] = [version, least].map((text) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number))
  const place = other?.findIndex((part, at) => part !== own?.[at]) ?? -1
  return place !== -1 && (own?.[place] ?? 0) < (other?.[place] ?? 0)
}
