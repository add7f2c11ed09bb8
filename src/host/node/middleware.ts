import { EventEmitter } from 'node:events'
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

/**
 * Whether frameworks find the same path in the target. In others, they may look for the host in another place, take
 * backslashes for slashes, or remove a second slash, so clients could bypass middleware that guards a path.
 */
const isPlain = ({ url, originalUrl = url }: NodeRequest & Mounted): boolean =>
  plain.test(String(originalUrl))

const plain = /^(https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d+)?)?(\/[^\\/?#]+)*\/?([?#]|$)/i

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

interface NodeHandlers<Raw extends NodeRequest> {
  readonly handle: (request: Raw, response: NodeResponse, next?: Next) => void
  readonly checkContinue: (this: unknown, request: Raw, response: NodeResponse) => void
}

/** The handlers of requests for a server of Node, or for a framework, which passes `next`. */
export const middleware = <Raw extends NodeRequest>({
  routes,
  base,
  headOf,
  remedy,
}: Parts<Raw>): NodeHandlers<Raw> => {
  /** Requests whose clients wait for `100 Continue`. */
  const expecting = new WeakSet<Raw>()

  const answer = (request: Raw, response: NodeResponse, head: RequestHead): void => {
    const body = expecting.has(request) ? continued(bodyOf(request), response) : bodyOf(request)
    inTurn(request, response, () => {
      const sent = routes.answer(head, body, (reply) => sendToNode(request, response, reply))
      if (sent instanceof Promise) sent.catch(() => cutOff(response))
    })
  }

  const handle: NodeHandlers<Raw>['handle'] = (request, response, next) => {
    const head = headOf(request)
    if (next === undefined || (isPlain(request) && routes.covers(head))) answer(request, response, head)
    else {
      if (expecting.delete(request)) response.writeContinue()
      const path = mountedAt(request)
      next(misplaced(base, path, remedy(path)))
    }
  }

  return {
    handle,
    /** The request goes on as any other, because the application may run code before the handler, such as guards. */
    checkContinue: function (request, response) {
      if (routes.covers(headOf(request))) expecting.add(request)
      else response.writeContinue()
      if (this instanceof EventEmitter) this.emit('request', request, response)
      else handle(request, response)
    },
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
