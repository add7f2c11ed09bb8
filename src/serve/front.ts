import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { HttpError, problem } from '../error/errors.ts'
import { toProblem } from '../error/problem.ts'

/** A request as its gate sees it. */
type GateRequest = Pick<IncomingMessage, 'headers'>

const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/**
 * Another site may have led a browser to this address by a name of its own, or may ask from one of its pages. A link to this service, such
 * as one in a mail, is followed.
 *
 * @param isLocal whether the service listens on the loopback address only
 */
const refusalOf = ({ headers }: GateRequest, isLocal: boolean): HttpError | undefined => {
  const { host = '', origin } = headers
  if (isLocal && !local.test(host))
    return new HttpError(421, 'The Host of the request must be localhost, 127.0.0.1 or [::1].')
  const site = headers['sec-fetch-site']
  const isForeign = site === 'cross-site' || site === 'same-site'
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  const isOwn = origin === undefined || origin === `http://${host}`
  if ((isForeign && !isLink) || !isOwn)
    return problem('forbidden', 'Pages of other origins cannot use this service.')
  return undefined
}

/** The service behind a gate that pages of other sites do not pass. */
export const behindGate =
  (isLocal: boolean, serve: RequestListener): RequestListener =>
  (request, response) => {
    const refusal = refusalOf(request, isLocal)
    if (refusal === undefined) serve(request, response)
    else refuse(refusal, request, response)
  }

const refuse = (refusal: HttpError, { url = '/' }: IncomingMessage, response: ServerResponse): void => {
  const body = JSON.stringify(toProblem(refusal, new URL(url, 'http://localhost').pathname, ''))
  response.writeHead(refusal.status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(body)
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether a request has the token, as `Authorization: Bearer`. Takes the same time for each wrong one. */
export const hasToken =
  (token: string) =>
  ({ headers: { authorization = '' } }: GateRequest): boolean => {
    const [, sent = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? []
    return timingSafeEqual(digest(sent), digest(token))
  }
