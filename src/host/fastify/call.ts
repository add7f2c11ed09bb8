import { cleanLog, type Log, requestLog, stderrLog } from '../../observe/log.ts'
import type { Call, Caller } from '../../operation/call.ts'
import { type Params, readTarget } from '../paths.ts'
import type { FastifyLog, FastifyRequest } from './app.ts'

/** A Fastify request as a call. A class, so that a request makes no function of its own. */
export class FastifyCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  readonly request: FastifyRequest
  caller: Caller | undefined = undefined
  loggable?: Call['loggable']

  /** @param semicolon Whether `;` starts a query string on this server. */
  constructor(request: FastifyRequest, params: Params, semicolon: boolean) {
    const { path, query } = readTarget(request.originalUrl, semicolon)
    this.method = request.method
    this.path = path
    this.query = query
    this.params = params
    this.request = request
  }

  get requestId(): string {
    return String(this.request.id)
  }

  get log(): Log {
    return cleanLog(toLog(this.request.log, this), this.loggable)
  }

  get address(): string | undefined {
    return this.request.ip
  }

  get scheme(): string {
    return this.request.protocol
  }

  header(name: string): string | undefined {
    const { headers, rawHeaders } = this.request.raw
    // HTTP/2 has a name of its own for it.
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined)
    if (typeof value === 'object') return value.join(', ')
    return name === 'authorization' && value !== undefined ? allOf(name, rawHeaders).join(', ') : value
  }
}

/** Node keeps the first of several `Authorization` headers and drops the others, where a proxy may have read the last. */
const allOf = (name: string, rawHeaders: readonly string[]): readonly string[] =>
  rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)

/**
 * The application's logger, or stderr where it was made without one.
 *
 * @param call whose logger it is: the application's own names the request by itself
 */
export const toLog = (log: FastifyLog, call?: { readonly requestId: string }): Log =>
  isSilent(log)
    ? silentLog(call)
    : {
        info: (line, details) => (details === undefined ? log.info(line) : log.info(details, line)),
        warn: (line, details) => (details === undefined ? log.warn(line) : log.warn(details, line)),
        error: (line, error) => log.error({ err: error }, line),
      }

const silentLog = (call: { readonly requestId: string } | undefined): Log =>
  call === undefined ? stderrLog : requestLog(() => call.requestId)

/** Without a logger Fastify has a stand-in whose methods are all the same empty function. */
const isSilent = (log: FastifyLog): boolean => {
  const { info, warn, error }: Readonly<Record<'info' | 'warn' | 'error', unknown>> = log
  return info === warn && warn === error
}
