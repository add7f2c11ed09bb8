import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, type Issue, pointerTo, problem, StartError } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import type { ProblemsContext } from '../host.ts'
import { isForClients, ofServer } from '../own-errors.ts'
import { nothingHere, replyToError } from '../serve.ts'
import type { FastifyApp } from './app.ts'
import { type CallOf, dropWaiting, respond } from './handlers.ts'

/**
 * The error handler of modelrest's routes. Errors in a body become problem documents. Errors of the application's hooks
 * go to its own error handler if there is one, and become problem documents otherwise.
 */
export const errorHandler =
  (app: FastifyApp, callOf: CallOf) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown => {
    const refusal = isForClients(error) ? error : ofBody(error)
    if (refusal === undefined && hasErrorHandler(app)) return app.errorHandler(error, request, reply)
    // Fastify closes the connection when it cannot read a body, so a client that is still sending would miss the response.
    if (refusal !== undefined) reply.removeHeader('connection')
    const refused = replyToError(refusal ?? ofServer(error, reply.statusCode), callOf(request))
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

/** Fastify does not expose whether its error handler was replaced, but the default one has a name. */
const hasErrorHandler = ({ errorHandler: current }: FastifyApp): boolean =>
  current.name !== 'defaultErrorHandler'

/** The part of an application that has the handlers. */
export type Handling = Pick<FastifyInstance, 'setErrorHandler' | 'setNotFoundHandler'>

/**
 * Makes the errors of the application's own routes problem documents. At once and without a plugin, so that it applies to the
 * same routes as handlers that the application sets in this place.
 */
export const handleProblems = (app: Handling, callOf: CallOf, { notFound }: ProblemsContext): void => {
  const send = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // Fastify closes the connection when it cannot read a body, so a client that is still sending would miss the response.
    reply.removeHeader('connection')
    respond(request, reply, replyToError(error, callOf(request)))
  }
  set('error', () =>
    app.setErrorHandler((error, request, reply) => {
      const refusal = isForClients(error) ? error : (ofBody(error) ?? ofJson(error) ?? ofValidation(error))
      send(refusal ?? ofServer(error, reply.statusCode), request, reply)
    }),
  )
  if (!notFound) return
  set('not-found', () =>
    app.setNotFoundHandler((request, reply) => send(nothingHere(callOf(request).path), request, reply)),
  )
}

/** Fastify accepts one not-found handler for a path, and with `allowErrorHandlerOverride: false` one error handler. */
const set = (what: 'error' | 'not-found', act: () => unknown): void => {
  try {
    act()
  } catch (cause) {
    if (Object(cause).code === 'FST_ERR_INSTANCE_ALREADY_LISTENING') throw cause
    const remedy = what === 'error' ? 'the call of problems()' : 'notFound: true'
    throw new StartError(
      `problems(): the application has its own ${what} handler already. Remove it, or remove ${remedy}.`,
      { cause },
    )
  }
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
