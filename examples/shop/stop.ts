import type { FastifyInstance } from 'fastify'
import { fail } from './environment.ts'

/** Milliseconds that running requests may take. */
const PATIENCE = 5000

/**
 * Shuts down on SIGTERM and SIGINT: accepts no new requests, lets running requests finish, and closes the database.
 * Requests that take too long are aborted.
 */
export const stopOnSignal = (app: FastifyInstance): void => {
  const stop = (): void => {
    // Connections that are kept alive would keep the server open long after their last response.
    setInterval(() => app.server.closeIdleConnections(), 50)
    setTimeout(() => app.server.closeAllConnections(), PATIENCE)
    app.close().then(
      () => process.exit(0),
      (error: unknown) => fail(String(error)),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
