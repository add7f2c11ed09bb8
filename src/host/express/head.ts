import type { Request } from 'express'
import { isNodeRequest, MiddlewareHead } from '../node/middleware.ts'

export const isRequest = (request: unknown): request is Request =>
  isNodeRequest(request) && 'ip' in request && 'protocol' in request

/** The head of a request of Express, which knows the proxies that the application trusts. */
export class ExpressHead extends MiddlewareHead {
  constructor(request: Request) {
    super(request, request.ip)
  }

  override get scheme(): string {
    return (this.request as Request).protocol
  }
}
