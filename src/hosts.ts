import { StartError } from './error/start-error.ts'
import { fastifyHost } from './host/fastify/index.ts'
import { fetchHost } from './host/fetch/index.ts'
import type { Host } from './host/host.ts'
import { inspection } from './inspection.ts'

const hosts = [fastifyHost, fetchHost]

/** Takes hold of an application. @throws StartError where it is none that is known */
export const attach = (app: object): Host => {
  const adapter = hosts.find((candidate) => candidate.accepts(app))
  if (adapter !== undefined) return inspected(adapter.attach(app))
  const names = hosts.map(({ name }) => name).join(' or ')
  throw new StartError(
    `ModelRest: the first argument is no application that is known. Give it one of ${names}.`,
  )
}

/** While a tool looks at the application, it is told what the log would be. */
const inspected = (host: Host): Host => {
  const { tell } = inspection() ?? {}
  if (tell === undefined) return host
  const warn = (line: string) => tell('warning', line)
  return { ...host, log: { info: (line) => tell('info', line), warn, error: warn } }
}
