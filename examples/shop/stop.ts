import type { FastifyInstance } from 'fastify'
import { fail } from './environment.ts'

/** Milliseconds for requests that have begun. */
const PATIENCE = 5000

/**
 * Ends the service in order on SIGTERM and SIGINT: nobody new is let in, requests that have begun are answered, and then
 * the database is closed. Who takes longer is cut off.
 */
export const stopOnSignal = (app: FastifyInstance): void => {
  const stop = (): void => {
    // A connection that is kept alive would hold the server long after its last reply.
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
