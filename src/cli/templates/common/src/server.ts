import { StartError } from 'modelrest'
import { app } from './app.ts'
import { migrate } from './db.ts'
import { env } from './env.ts'

const fail = (error: unknown): never => {
  // Its message says what to change. The stack would only repeat it.
  app.log.fatal(error instanceof StartError ? error.message : error)
  process.exit(1)
}

let isStopping = false

/** Closes the server. Requests in progress have ten seconds to finish. */
const stop = async (): Promise<void> => {
  // npm and node --watch may pass on a signal more than once.
  if (isStopping) return
  isStopping = true
  setTimeout(fail, 10_000, 'Some requests did not finish within 10 seconds.')
  // Connections close soon after their last response. By default they wait 72 seconds for another request.
  app.server.keepAliveTimeout = 1
  await app.close()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

try {
  await migrate()
  const origin = await app.listen({
    port: env.port,
    host: env.host,
    listenTextResolver: (address) => `Listening at ${address}/api/`,
  })
  app.log.info(`Documentation at ${origin}/api/docs`)
} catch (error) {
  const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  fail(isInUse ? `Port ${env.port} is in use. Stop the program that uses it, or change PORT in .env.` : error)
}
