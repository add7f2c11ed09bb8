import { NotConnected } from '../not-connected.ts'

type GetConnection = (got: (error: unknown, connection?: unknown) => void) => void

/**
 * The pool of mysql2, with errors that tell whether there was a connection: a server that closes it while they greet each
 * other is told of in the same words as one that does so in a statement.
 */
export const tellingOfConnecting = <Pool extends object>(pool: Pool): Pool => {
  const inner: unknown = Reflect.get(pool, 'pool')
  if (!hasCallbacks(inner)) return pool
  const getConnection: GetConnection = (got) =>
    inner.getConnection((error, connection) => got(error ? new NotConnected(error) : error, connection))
  return Object.create(pool, {
    pool: { value: Object.create(inner, { getConnection: { value: getConnection } }) },
  })
}

const hasCallbacks = (pool: unknown): pool is { readonly getConnection: GetConnection } =>
  typeof pool === 'object' && pool !== null && 'getConnection' in pool
