import { HttpError, problem } from '../../error/http-error.ts'
import { ValueError } from '../../error/value-error.ts'
import { refuse } from '../serve.ts'
import type { FastifyApp, FastifyReply, FastifyRequest } from './app.ts'
import { discardBody } from './body.ts'
import { FastifyCall } from './call.ts'
import { dropSuspended } from './routes.ts'
import { send } from './send.ts'

/**
 * The error handler of our routes: what is wrong with a body becomes a problem. What a hook of the application
 * throws goes to the application's own error handler where it has one, and is a problem otherwise.
 */
export const errorHandler =
  (app: FastifyApp, semicolon: boolean) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown => {
    const refusal = isOurs(error) ? error : ofBody(error)
    if (refusal === undefined && hasErrorHandler(app)) return app.errorHandler(error, request, reply)
    // Fastify hangs up when it cannot read a body, and a client that is still sending would miss the answer.
    if (refusal !== undefined) reply.removeHeader('connection')
    discardBody(request.raw)
    const answer = refusal ?? ofHook(error, reply.statusCode)
    const refused = refuse(answer, new FastifyCall(request, {}, semicolon))
    dropSuspended(request, refused)
    send(reply, refused)
    return undefined
  }

/** What Fastify itself refuses before it gives us the body. */
const ofBody = (error: unknown): HttpError | undefined =>
  Object(error).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? problem('unsupported_media_type', 'The Content-Type header cannot be read.')
    : undefined

const isOurs = (error: unknown): boolean => error instanceof HttpError || error instanceof ValueError

/** Fastify does not tell whether its error handler was replaced, but its own has a name. */
const hasErrorHandler = ({ errorHandler: current }: FastifyApp): boolean =>
  current.name !== 'defaultErrorHandler'

/** What a hook threw means what Fastify would take it for. The message of a failure stays in the log. */
const ofHook = (error: unknown, replyStatus: number): unknown => {
  const { statusCode, status, message } = Object(error) as Readonly<Record<string, unknown>>
  const meant = [statusCode, status, replyStatus].find(isErrorStatus)
  if (meant === undefined || meant === 500) return error
  const detail = meant < 500 ? String(message) : 'The server cannot answer this request at the moment.'
  return new HttpError(meant, detail, { cause: error })
}

const isErrorStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 400 && status <= 599
