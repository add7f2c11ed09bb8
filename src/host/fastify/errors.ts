import { HttpError, problem } from '../../error/http-error.ts'
import { ValueError } from '../../error/value-error.ts'
import { brokenBody, tooLarge } from '../refusals.ts'
import { refuse } from '../serve.ts'
import type { FastifyApp, FastifyReply, FastifyRequest } from './app.ts'
import { discardBody } from './body.ts'
import { FastifyCall } from './call.ts'
import { send } from './send.ts'

/** What Fastify says of a body that it cannot read. */
const bodyErrors: Readonly<Record<string, (error: unknown, request: FastifyRequest) => HttpError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (_error, { routeOptions }) => tooLarge(routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    problem('unsupported_media_type', 'The Content-Type header cannot be read.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: brokenBody,
  ECONNRESET: brokenBody,
}

/**
 * The error handler of our routes: what Fastify says of a body becomes a problem. What a hook of the application
 * throws goes to the application's own error handler where it has one, and is a problem otherwise.
 */
export const errorHandler =
  (app: FastifyApp, semicolon: boolean) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown => {
    const known = bodyErrors[codeOf(error)]?.(error, request)
    if (known === undefined && !isOurs(error) && hasErrorHandler(app))
      return app.errorHandler(error, request, reply)
    // Fastify hangs up when a body was too much for it, and a client that is still sending would miss the answer.
    if (known !== undefined) reply.removeHeader('connection')
    discardBody(request.raw)
    const answer = known ?? (isOurs(error) ? error : ofHook(error, reply.statusCode))
    send(reply, refuse(answer, new FastifyCall(request, {}, semicolon)))
    return undefined
  }

const isOurs = (error: unknown): boolean => error instanceof HttpError || error instanceof ValueError

/** Fastify does not tell whether its error handler was replaced, but its own has a name. */
const hasErrorHandler = ({ errorHandler: current }: FastifyApp): boolean =>
  current.name !== 'defaultErrorHandler'

const codeOf = (error: unknown): string => String(Object(error).code)

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
