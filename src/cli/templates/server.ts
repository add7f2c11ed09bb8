// Before the API, which looks for its tables while it starts.
import './migrate.ts'
import { api } from './api.ts'
import { env } from './env.ts'
import { apiPath, app } from './urls.ts'

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

let isStopping = false

/** Requests that are under way get their answers; nobody waits longer than ten seconds. */
const stop = (): void => {
  // npm and `node --watch` pass one Ctrl+C on several times.
  if (isStopping) return
  isStopping = true
  setTimeout(() => fail('Some requests did not end in 10 seconds.'), 10_000)
  // A connection that has just got its answer would stay open for another request.
  setInterval(() => app.server.closeIdleConnections(), 50)
  app.close().then(
    () => process.exit(0),
    (error: unknown) => fail(String(error)),
  )
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

try {
  const origin = await app.listen({ port: env.port, host: env.host })
  console.log(`API            ${origin}${apiPath}/${api.models[0]?.path ?? ''}`)
  console.log(`Documentation  ${origin}${apiPath}/docs`)
} catch (error) {
  const code: unknown = Reflect.get(Object(error), 'code')
  if (code !== 'EADDRINUSE') throw error
  fail(`Port ${env.port} is in use. Stop what listens there, or write another PORT in .env.`)
}
