import { parse } from 'content-type'
import Negotiator from 'negotiator'
import { type HttpError, problem } from '../error/errors.ts'
import type { Call, Reply } from './call.ts'
import type { BodyShape, Operation } from './operation.ts'
import { type RefusalContext, toHttpProblem } from './refusals.ts'
import { type ByteSource, pullBody, pullStream, type Steps, wait } from './steps.ts'

/** What one kind of request does at each station of the path. */
interface Act<Parameters, Reach, Found, Input, Outcome> {
  /** The media type of the reply. Absent: it has no body. */
  readonly mediaType?: string
  readonly body?: BodyShape
  readonly ask: (call: Call) => Parameters
  /** Finds out what the caller may reach. */
  readonly enter: (call: Call) => Steps<Reach>
  /** Finds the record that the request is about, where that must be known before the body is read. */
  readonly find: (parameters: Parameters, reach: Reach) => Steps<Found>
  /** Reads the body and checks it against the schema. */
  readonly validate: (bytes: Uint8Array, reach: Reach, found: Found) => Steps<Input>
  /** Reads the body as it arrives, and checks it against the schema, if it is a form. Absent: it takes no forms. */
  readonly receive?:
    | ((source: ByteSource, call: Call, reach: Reach, found: Found) => Steps<Input>)
    | undefined
  readonly act: (parameters: Parameters, input: Input, reach: Reach, found: Found) => Steps<Outcome>
  readonly reply: (outcome: Outcome, call: Call) => Reply
}

/**
 * Milliseconds. Clients decide how long their body takes: what was found out longer ago than this, before the body was
 * there, is found out again.
 */
export const LONG_AGO = 1000

const noBytes = new Uint8Array()

/**
 * The one path of every request that acts on records: its head, whom it may reach, the record where it is needed, the
 * body, the schema, the act, the reply. Nothing of a body is read before everything that can be refused without it was
 * refused.
 */
export const takePath = <Parameters, Reach, Found, Input, Outcome>(
  act: Act<Parameters, Reach, Found, Input, Outcome>,
): Operation['run'] => {
  const { mediaType, body, receive } = act
  return function* (call): Steps<Reply> {
    if (mediaType !== undefined) assertAcceptable(call, mediaType)
    if (body !== undefined) assertBodyHead(call, body)
    const parameters = act.ask(call)
    const reach = yield* act.enter(call)
    const found = yield* act.find(parameters, reach)
    let input: Input
    if (receive !== undefined && isForm(call)) input = yield* receive(yield* pullStream(), call, reach, found)
    else {
      const bytes = body === undefined ? noBytes : yield* pullBody()
      if (body !== undefined && call.confirm !== undefined) yield* call.confirm()
      input = yield* act.validate(bytes, reach, found)
    }
    const outcome = yield* act.act(parameters, input, reach, found)
    return act.reply(outcome, call)
  }
}

export const translateErrors = (about: RefusalContext, run: Operation['run']): Operation['run'] =>
  function* (call): Steps<Reply> {
    try {
      return yield* run(call)
    } catch (error) {
      throw toHttpProblem(error, call, about)
    }
  }

/** For acts that need no record before their body, or have no body. */
export const skip = (): Steps<undefined> => wait(undefined)

/** @throws HttpError 406 where the client does not accept this media type. */
export const assertAcceptable = (call: Call, mediaType: string): void => {
  const accept = call.header('accept')
  if (accept === undefined || accept === '*/*' || accept === mediaType) return
  const offers = [mediaType, `${mediaType}; charset=utf-8`]
  if (new Negotiator({ headers: { accept } }).mediaType(offers) === undefined) {
    throw problem(
      'not_acceptable',
      `This resource is served as ${mediaType}, which the Accept header rules out.`,
    )
  }
}

/** @throws HttpError 400 where the query string holds anything: the operation has no query parameters. */
export const assertNoQuery = (call: Call): void => {
  if (call.query === '') return
  const name = call.query
    .split('&')
    .find((segment) => segment !== '')
    ?.split('=')[0]
  if (name === undefined) return
  throw problem('unknown_parameter', 'This operation has no query parameters.', {
    errors: [{ parameter: name, code: 'unknown_parameter', detail: 'Leave it out.' }],
  })
}

/** The media type of forms with files (RFC 7578). */
export const FORM_TYPE = 'multipart/form-data'

/** Whether the body of a request is said to be a form with files. */
export const isForm = (call: Call): boolean => {
  const contentType = call.header('content-type')
  return contentType !== undefined && essenceOf(contentType)?.essence === FORM_TYPE
}

/** Checks what is known of a body before it is read: its media type, coding, charset and declared length. */
export const assertBodyHead = (call: Call, body: BodyShape): void => {
  const length = call.header('content-length')
  const contentType = call.header('content-type')
  const type = contentType === undefined ? undefined : essenceOf(contentType)
  const { limit } = type?.essence === FORM_TYPE ? (body.form ?? body) : body
  if (length !== undefined && Number(length) > limit) throw tooLarge(limit)
  const isEmpty = length === '0' || (length === undefined && call.header('transfer-encoding') === undefined)
  if (contentType === undefined && isEmpty) return
  const coding = call.header('content-encoding') ?? 'identity'
  const taken = bodyTypesOf(body)
  if (type === undefined || !taken.includes(type.essence))
    throw unsupported(body, `The body must be ${taken.join(' or ')}.`)
  if (type.charset !== 'utf-8' && type.charset !== 'utf8')
    throw unsupported(body, `${type.essence === FORM_TYPE ? 'Forms' : 'JSON bodies'} must be UTF-8.`)
  if (coding !== 'identity') throw unsupported(body, 'The body must not be compressed.')
}

const bodyTypesOf = ({ mediaTypes, form }: BodyShape): readonly string[] =>
  form === undefined ? mediaTypes : [...mediaTypes, FORM_TYPE]

export const tooLarge = (limit: number): HttpError =>
  problem('body_too_large', `The body is larger than the ${limit} bytes that this operation takes.`)

const unsupported = (body: BodyShape, detail: string): Error =>
  problem('unsupported_media_type', detail, { headers: { accept: bodyTypesOf(body).join(', ') } })

const essenceOf = (contentType: string) => {
  if (contentType === 'application/json') return { essence: contentType, charset: 'utf-8' }
  try {
    const { type, parameters } = parse(contentType)
    return { essence: type.toLowerCase(), charset: (parameters['charset'] ?? 'utf-8').toLowerCase() }
  } catch {
    return undefined
  }
}
