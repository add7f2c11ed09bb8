import { cleanLog, type Log, requestLog, stderrLog } from '../../observe/log.ts'
import type { Call, Caller } from '../../operation/call.ts'
import { headerOf } from '../node/request.ts'
import { type Params, readTarget } from '../paths.ts'
import type { Serve } from '../serve.ts'
import type { FastifyLog, FastifyRequest } from './app.ts'
import type { PathRules } from './paths.ts'

/** What the calls of an application have in common. */
export interface CallContext {
  /** Whether `;` starts a query string on this server. */
  readonly semicolon: boolean
  readonly loggable: Serve['loggable']
}

export const callContext = ({ useSemicolonDelimiter }: PathRules, serve?: Serve): CallContext => ({
  semicolon: useSemicolonDelimiter,
  loggable: serve?.loggable,
})

/** A Fastify request as a call. A class, so that a request makes no function of its own. */
export class FastifyCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  readonly request: FastifyRequest
  caller: Caller | undefined = undefined
  readonly #context: CallContext

  constructor(request: FastifyRequest, params: Params, context: CallContext) {
    const { path, query } = readTarget(request.originalUrl, context.semicolon)
    this.method = request.method
    this.path = path
    this.query = query
    this.params = params
    this.request = request
    this.#context = context
  }

  get requestId(): string {
    return String(this.request.id)
  }

  get log(): Log {
    return cleanLog(toLog(this.request.log, this), this.#context.loggable)
  }

  get address(): string | undefined {
    return this.request.ip
  }

  get scheme(): string {
    return this.request.protocol
  }

  header(name: string): string | undefined {
    return headerOf(this.request.raw, name)
  }
}

/**
 * The application's logger, or stderr where it was made without one.
 *
 * @param call whose logger it is: the application's own names the request by itself
 */
export const toLog = (log: FastifyLog, call?: { readonly requestId: string }): Log =>
  isSilent(log)
    ? call === undefined
      ? stderrLog
      : requestLog(() => call.requestId)
    : {
        info: (line, details) => (details === undefined ? log.info(line) : log.info(details, line)),
        warn: (line, details) => (details === undefined ? log.warn(line) : log.warn(details, line)),
        error: (line, error) => log.error({ err: error }, line),
      }

/** Without a logger Fastify has a stand-in whose methods are all the same empty function. */
const isSilent = ({ info, warn, error }: FastifyLog): boolean => {
  const methods: readonly unknown[] = [info, warn, error]
  return methods.every((method) => method === info)
}
