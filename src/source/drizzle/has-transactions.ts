import { entityNames } from './entity.ts'

/** Sessions that have one connection for everything, or none at all: others would write into an open transaction. */
const sharing: ReadonlySet<string> = new Set([
  ...['NeonHttpSession', 'OPSQLiteSession', 'PgRemoteSession', 'SQLiteD1Session', 'SQLiteRemoteSession'],
  ...['MySqlRemoteSession', 'XataHttpSession'],
])

/** Sessions that take a connection of their own for each transaction where they are given a pool. */
const pooling: ReadonlySet<string> = new Set(['NeonSession', 'NodePgSession', 'VercelPgSession'])

/** Whether each transaction has to be given a connection of a pool. */
export const isPooled = (session: object): boolean =>
  entityNames(session).some((name) => pooling.has(name)) && isPool(Reflect.get(session, 'client'))

/** The same, of node-postgres alone, and not of what is made like it. */
export const isNodePostgresPooled = (session: object): boolean =>
  isNodePostgres(session) && isPool(Reflect.get(session, 'client'))

const isNodePostgres = (session: object): boolean => entityNames(session).includes('NodePgSession')

/** The same, of mysql2. */
export const isMysqlPooled = (session: object): boolean =>
  isMysql2(session) && isMysqlPool(Reflect.get(session, 'client'))

const isMysql2 = (session: object): boolean => entityNames(session).includes('MySql2Session')

/** Whether the driver keeps each transaction apart from everything else that goes on. */
export const hasTransactions = (session: object): boolean => {
  const names = entityNames(session)
  if (names.some((name) => sharing.has(name))) return false
  if (isMysql2(session)) return isMysqlPooled(session)
  return !names.some((name) => pooling.has(name)) || isPool(Reflect.get(session, 'client'))
}

const isMysqlPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && 'getConnection' in client

/** A pool of node-postgres, or of a driver made like it. */
export const isPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && 'totalCount' in client
