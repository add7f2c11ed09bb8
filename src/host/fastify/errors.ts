import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, type Issue, pointerTo, problem, StartError, ValueError } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import type { ProblemsContext } from '../host.ts'
import { nothingHere, refuse } from '../serve.ts'
import type { FastifyApp } from './app.ts'
import { type CallOf, dropWaiting, respond } from './handlers.ts'

/**
 * The error handler of modelrest's routes. Errors in a body become problem documents. Errors of the application's hooks
 * go to its own error handler if there is one, and become problem documents otherwise.
 */
export const errorHandler =
  (app: FastifyApp, callOf: CallOf) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown => {
    const refusal = isOurs(error) ? error : ofBody(error)
    if (refusal === undefined && hasErrorHandler(app)) return app.errorHandler(error, request, reply)
    // Fastify closes the connection when it cannot read a body, so a client that is still sending would miss the response.
    if (refusal !== undefined) reply.removeHeader('connection')
    const refused = refuse(refusal ?? ofHook(error, reply.statusCode), callOf(request))
    dropWaiting(request, refused)
    respond(request, reply, refused)
    return undefined
  }

/** Errors of Fastify itself, before it passes on the body. */
const ofBody = (error: unknown): HttpError | undefined =>
  Object(error).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? new HttpError(
        415,
        'The Content-Type header is malformed, or the route does not accept this media type.',
      )
    : undefined

const isOurs = (error: unknown): boolean => error instanceof HttpError || error instanceof ValueError

/** Fastify does not expose whether its error handler was replaced, but the default one has a name. */
const hasErrorHandler = ({ errorHandler: current }: FastifyApp): boolean =>
  current.name !== 'defaultErrorHandler'

/** Gives an error of a hook the status that Fastify would use. The message of a server error is only logged. */
const ofHook = (error: unknown, replyStatus: number): unknown => {
  const { statusCode, status, message } = Object(error) as Readonly<Record<string, unknown>>
  const meant = [statusCode, status, replyStatus].find(isErrorStatus)
  if (meant === undefined || meant === 500) return error
  const detail = meant < 500 ? String(message) : 'The server cannot process this request at the moment.'
  return new HttpError(meant, detail, { cause: error })
}

const isErrorStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 400 && status <= 599

/** A plugin that makes the errors of the application's own routes problem documents. */
export const problemsPlugin = (callOf: CallOf, { notFound }: ProblemsContext): object => {
  const send = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // Fastify closes the connection when it cannot read a body, so a client that is still sending would miss the response.
    reply.removeHeader('connection')
    respond(request, reply, refuse(error, callOf(request)))
  }
  const plugin = async (context: FastifyInstance): Promise<void> => {
    context.setErrorHandler((error, request, reply) => {
      const refusal = isOurs(error) ? error : (ofBody(error) ?? ofJson(error) ?? ofValidation(error))
      send(refusal ?? ofHook(error, reply.statusCode), request, reply)
    })
    if (!notFound) return
    try {
      context.setNotFoundHandler((request, reply) => send(nothingHere(callOf(request).path), request, reply))
    } catch (cause) {
      throw new StartError(
        'problems(): the application has a not-found handler already. Remove it, or remove notFound: true.',
        { cause },
      )
    }
  }
  // In an encapsulated context, the handlers would not apply to the routes of the application.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

/** Fastify's errors of a body that is not JSON. */
const ofJson = (error: unknown): HttpError | undefined => {
  const { code, message } = Object(error) as Readonly<Record<string, unknown>>
  return code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
    ? problem('malformed_json', String(message))
    : undefined
}

/** The error of a request that does not match the schema of its route. */
const ofValidation = (error: unknown): HttpError | undefined => {
  const { validation, validationContext: place, message } = Object(error) as Readonly<Record<string, unknown>>
  if (!Array.isArray(validation)) return undefined
  const errors = validation.filter(isRecord).map((mistake) => issueOf(mistake, place))
  if (place === 'body') return problem('invalid_body', String(message), { errors })
  if (place === 'querystring') return problem('invalid_value', String(message), { errors })
  return new HttpError(400, String(message))
}

/** A mistake as Ajv describes it. */
const issueOf = (
  { instancePath, keyword, params, message }: Readonly<Record<string, unknown>>,
  place: unknown,
): Issue => {
  const { missingProperty, additionalProperty } = Object(params)
  const member = missingProperty ?? additionalProperty
  const path = `${String(instancePath ?? '')}${member === undefined ? '' : pointerTo([String(member)])}`
  const code = issueCodes.get(String(keyword)) ?? 'invalid'
  const detail = String(message ?? 'The value is not valid.')
  return place === 'querystring'
    ? { code: 'invalid_value', parameter: path.split('/')[1] ?? '', detail }
    : { code, pointer: path, detail }
}

/** The codes of Ajv's keywords. */
const issueCodes: ReadonlyMap<string, Issue['code']> = new Map(
  Object.entries({
    required: 'required',
    additionalProperties: 'unknown_key',
    type: 'wrong_type',
    format: 'invalid_format',
    pattern: 'invalid_format',
    enum: 'not_in_enum',
    const: 'not_in_enum',
    minimum: 'out_of_range',
    maximum: 'out_of_range',
    exclusiveMinimum: 'out_of_range',
    exclusiveMaximum: 'out_of_range',
    maxLength: 'too_long',
    maxItems: 'too_long',
    minLength: 'too_short',
    minItems: 'too_short',
  } as const),
)
