import { cleanLog, type Log } from '../../observe/log.ts'
import { requestLog } from '../../observe/stderr-log.ts'
import type { Call } from '../../operation/call.ts'
import type { Caller } from '../../operation/caller.ts'
import type { Params, Target } from '../raw-path.ts'

/** Tells where a request came from. */
export type ClientAddress = (request: Request) => string | undefined

/** A `Request` as a call. A class, so that a request makes no function of its own. */
export class FetchCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  readonly request: Request
  caller: Caller | undefined = undefined
  loggable?: Call['loggable']
  readonly #clientAddress: ClientAddress
  #requestId: string | undefined

  constructor(request: Request, { path, query }: Target, params: Params, clientAddress: ClientAddress) {
    this.method = request.method
    this.path = path
    this.query = query
    this.params = params
    this.request = request
    this.#clientAddress = clientAddress
  }

  /** Made when it is asked for: only failures need one. */
  get requestId(): string {
    this.#requestId ??= crypto.randomUUID()
    return this.#requestId
  }

  get log(): Log {
    return cleanLog(
      requestLog(() => this.requestId),
      this.loggable,
    )
  }

  get address(): string | undefined {
    return this.#clientAddress(this.request)
  }

  get scheme(): string {
    return this.request.url.startsWith('https:') ? 'https' : 'http'
  }

  header(name: string): string | undefined {
    const value = this.request.headers.get(name) ?? undefined
    // Not every runtime keeps it among the headers.
    return value === undefined && name === 'host' ? hostIn(this.request.url) : value
  }
}

const hostIn = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)
