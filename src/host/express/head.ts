import type { Request } from 'express'
import { isNodeRequest, MiddlewareHead } from '../node/middleware.ts'

export const isRequest = (request: unknown): request is Request =>
  isNodeRequest(request) && 'ip' in request && 'protocol' in request

/** The head of a request of Express, which knows the proxies that the application trusts. */
export class ExpressHead extends MiddlewareHead {
  readonly #ip: string | undefined

  constructor(request: Request) {
    super(request)
    // As `NodeHead`, now.
    this.#ip = request.ip
  }

  override get address(): string | undefined {
    return this.#ip
  }

  override get scheme(): string {
    const { protocol } = this.request as Request
    return protocol
  }
}
