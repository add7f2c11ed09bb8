import type { RequestBody, RequestHead } from '../call.ts'
import { misplaced } from '../host.ts'
import type { RouteTable } from '../routes.ts'
import { parsedBody, parsedBytes } from './parsed.ts'
import { NodeHead, type NodeRequest, nodeBody } from './request.ts'
import { cutOff, type NodeResponse, sendToNode } from './response.ts'
import { inTurn } from './turns.ts'

/** Members that frameworks add to a request. */
interface Mounted {
  readonly baseUrl?: unknown
  readonly originalUrl?: unknown
}

/** The head of a request that a framework may have passed on without the path at which it mounts the handler. */
export class MiddlewareHead extends NodeHead {
  override get url(): string {
    const { url = '/', originalUrl = url }: NodeRequest & Mounted = this.request
    // Of a URL with a host, the path cannot be put together again.
    return url.startsWith('/') ? mountedAt(this.request) + url : String(originalUrl)
  }
}

/** The path at which a framework has mounted the handler, which it has removed from `url`. */
const mountedAt = ({ url = '/', baseUrl, originalUrl = '' }: NodeRequest & Mounted): string => {
  if (typeof baseUrl === 'string') return baseUrl
  const original = String(originalUrl)
  return original.endsWith(url) ? original.slice(0, -url.length) : ''
}

/** Checks members instead of the class, because the requests of tests and frameworks have other classes. */
export const isNodeRequest = (request: unknown): request is NodeRequest => {
  const { rawHeaders, headers, socket }: { [Name in keyof NodeRequest]?: unknown } = Object(request)
  return Array.isArray(rawHeaders) && typeof headers === 'object' && typeof socket === 'object'
}

interface Parts<Raw extends NodeRequest> {
  readonly routes: RouteTable
  readonly base: string
  readonly headOf: (request: Raw) => RequestHead
  /** What to write if the handler is mounted at a path that the base does not start with. */
  readonly remedy: (path: string) => string
}

type Next = (error?: unknown) => void

/** The handlers of requests for a server of Node, or for a framework, which passes `next`. */
export const middleware = <Raw extends NodeRequest>({ routes, base, headOf, remedy }: Parts<Raw>) => {
  const answer = (request: Raw, response: NodeResponse, head: RequestHead, body: RequestBody): void =>
    inTurn(request, response, () => {
      const sent = routes.answer(head, body, (reply) => sendToNode(request, response, reply))
      if (sent instanceof Promise) sent.catch(() => cutOff(response))
    })

  return {
    handle: (request: Raw, response: NodeResponse, next?: Next): void => {
      const head = headOf(request)
      if (next === undefined || routes.covers(head)) answer(request, response, head, bodyOf(request))
      else {
        const path = mountedAt(request)
        next(misplaced(base, path, remedy(path)))
      }
    },
    checkContinue: (request: Raw, response: NodeResponse): void =>
      answer(request, response, headOf(request), continued(bodyOf(request), response)),
  }
}

const bodyOf = (request: NodeRequest): RequestBody => {
  if (!request.readableEnded) return nodeBody(request)
  return { whole: (bounds) => parsedBody(request, bounds), bytes: () => parsedBytes(request) }
}

/** Asks the client for the body when it is needed. */
const continued = (body: RequestBody, response: NodeResponse): RequestBody => ({
  whole: (bounds) => {
    response.writeContinue()
    return body.whole(bounds)
  },
  bytes: () => {
    response.writeContinue()
    return body.bytes()
  },
})
