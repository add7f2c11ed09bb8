import { toAllow, wrongMethod } from '../refusals.ts'
import { refuse } from '../serve.ts'
import type { FastifyReply, FastifyRequest } from './app.ts'
import { discardBody } from './body.ts'
import { FastifyCall } from './call.ts'
import type { Handlers } from './routes.ts'
import { send } from './send.ts'

/** The handlers of a path for every method. */
export type ByMethod = ReadonlyMap<string, Handlers>

/**
 * One route for many methods of a path. Those that the path does not have are refused with 405, before their body.
 *
 * @param allowed Asked when a method is refused, as routes of the application may have come meanwhile.
 */
export const dispatch = (
  byMethod: ByMethod,
  allowed: () => Iterable<string>,
  semicolon: boolean,
): Required<Handlers> => ({
  onRequest: (request, reply, done) => {
    const handlers = byMethod.get(request.method)
    if (handlers === undefined) refuseMethod(request, reply, toAllow(allowed()), semicolon)
    else if (handlers.onRequest === undefined) done()
    else handlers.onRequest(request, reply, done)
  },
  handler: (request, reply) => byMethod.get(request.method)?.handler(request, reply),
})

const refuseMethod = (
  request: FastifyRequest,
  reply: FastifyReply,
  allow: string,
  semicolon: boolean,
): void => {
  const call = new FastifyCall(request, {}, semicolon)
  discardBody(request.raw)
  send(reply, refuse(wrongMethod(call.method, allow), call))
}
