import { parse } from 'content-type'
import Negotiator from 'negotiator'
import { problem } from '../error/errors.ts'
import { tooLarge } from './body.ts'
import type { Call, Reply } from './call.ts'
import type { BodyShape, Operation } from './operation.ts'
import { type RefusalContext, toHttpProblem } from './refusals.ts'
import { type ByteSource, nextTurn, pullBody, pullStream, type Steps, wait } from './steps.ts'

/** The steps of one kind of request. */
interface RequestSteps<Parameters, Reach, Found, Input, Outcome> {
  /** The media type of the response. Absent: the response has no body. */
  readonly mediaType?: string
  readonly body?: BodyShape
  readonly ask: (call: Call) => Parameters
  /** Determines the caller and the records in their scope. */
  readonly enter: (call: Call) => Steps<Reach>
  /** Finds the record of the request, if it must be known before the body is read. */
  readonly find: (parameters: Parameters, reach: Reach) => Steps<Found>
  /** Parses the body and validates it against the schema. */
  readonly validate: (bytes: Uint8Array, reach: Reach, found: Found) => Steps<Input>
  /** Reads a form while it arrives and validates it against the schema. Absent: forms are not accepted. */
  readonly receive?:
    | ((source: ByteSource, call: Call, reach: Reach, found: Found) => Steps<Input>)
    | undefined
  readonly act: (parameters: Parameters, input: Input, reach: Reach, found: Found) => Steps<Outcome>
  readonly reply: (outcome: Outcome, call: Call) => Reply
}

/** @param about the model whose database errors become HTTP errors. @default errors are thrown unchanged */
export type Path = (call: Call, about?: RefusalContext) => Steps<Reply>

/**
 * In milliseconds. Clients control how long their body takes, so checks that ran longer ago than this are repeated after
 * the body.
 */
export const LONG_AGO = 1000

/** Reading, writing and showing a body of more bytes are turns of their own, so that other requests run in between. */
const LARGE = 64 * 1024

const noBytes = new Uint8Array()

/**
 * The order of every request for records: headers, parameters, caller and scope, record if needed, body, schema, action,
 * response. The body is not read before all checks that do not need it have passed.
 */
export const takePath = <Parameters, Reach, Found, Input, Outcome>(
  act: RequestSteps<Parameters, Reach, Found, Input, Outcome>,
): Path => {
  const { mediaType, body, receive } = act
  return function* (call, about): Steps<Reply> {
    try {
      if (mediaType !== undefined) assertAccepts(call, mediaType)
      if (body !== undefined) assertBodyHead(call, body)
      const parameters = act.ask(call)
      const reach = yield* act.enter(call)
      const found = yield* act.find(parameters, reach)
      let input: Input
      let isLarge = false
      if (receive !== undefined && isForm(call))
        input = yield* receive(yield* pullStream(), call, reach, found)
      else {
        const bytes = body === undefined ? noBytes : yield* pullBody()
        if (body !== undefined && call.confirm !== undefined) yield* call.confirm()
        input = yield* act.validate(bytes, reach, found)
        isLarge = bytes.byteLength > LARGE
      }
      if (isLarge) yield* nextTurn()
      const outcome = yield* act.act(parameters, input, reach, found)
      if (isLarge) yield* nextTurn()
      return act.reply(outcome, call)
    } catch (error) {
      throw about === undefined ? error : toHttpProblem(error, call, about)
    }
  }
}

/** A path whose errors are about a model. */
export const pathAbout =
  (about: RefusalContext, path: Path): Operation['run'] =>
  (call) =>
    path(call, about)

export const translateErrors = (about: RefusalContext, run: Operation['run']): Operation['run'] =>
  function* (call): Steps<Reply> {
    try {
      return yield* run(call)
    } catch (error) {
      throw toHttpProblem(error, call, about)
    }
  }

/** For actions that do not need a record before their body, or have no body. */
export const skip = (): Steps<undefined> => wait(undefined)

/** @throws HttpError 406 if the client does not accept this media type */
export const assertAccepts = (call: Call, mediaType: string): void => {
  const accept = call.header('accept')
  if (accept === undefined || accept === '*/*' || accept === mediaType) return
  const offers = [mediaType, `${mediaType}; charset=utf-8`]
  if (new Negotiator({ headers: { accept } }).mediaType(offers) === undefined) {
    throw problem(
      'not_acceptable',
      `The response is ${mediaType}, which the Accept header excludes. Add this media type to Accept.`,
    )
  }
}

/** @throws HttpError 400 if the query string has a parameter */
export const assertNoQuery = (call: Call): void => {
  if (call.query === '') return
  const name = call.query
    .split('&')
    .find((segment) => segment !== '')
    ?.split('=')[0]
  if (name === undefined) return
  throw problem('unknown_parameter', 'This operation does not accept query parameters.', {
    errors: [{ parameter: name, code: 'unknown_parameter', detail: 'Remove this parameter.' }],
  })
}

/** The media type of forms with files (RFC 7578). */
export const FORM_TYPE = 'multipart/form-data'

/** Whether the Content-Type of a request is a form with files. */
export const isForm = (call: Call): boolean => {
  const contentType = call.header('content-type')
  return contentType !== undefined && essenceOf(contentType)?.essence === FORM_TYPE
}

/** Checks the headers of a body before it is read: media type, encoding, charset and declared length. */
export const assertBodyHead = (call: Call, body: BodyShape): void => {
  const length = call.header('content-length')
  const contentType = call.header('content-type')
  const type = contentType === undefined ? undefined : essenceOf(contentType)
  const { limit } = type?.essence === FORM_TYPE ? (body.form ?? body) : body
  if (length !== undefined && Number(length) > limit) throw tooLarge(limit)
  const isEmpty = length === '0' || (length === undefined && call.header('transfer-encoding') === undefined)
  // Without data, axios names a media type of forms.
  if (isEmpty && (contentType === undefined || body.isEmpty === true)) return
  const coding = call.header('content-encoding') ?? 'identity'
  const taken = bodyTypesOf(body)
  if (type === undefined || !taken.includes(type.essence))
    throw unsupported(body, `The body must be ${taken.join(' or ')}.`)
  if (type.charset !== 'utf-8' && type.charset !== 'utf8')
    throw unsupported(
      body,
      `${type.essence === FORM_TYPE ? 'Forms' : 'JSON bodies'} must be encoded in UTF-8.`,
    )
  if (coding !== 'identity') throw unsupported(body, 'The body must not be compressed.')
}

const bodyTypesOf = ({ mediaTypes, form }: BodyShape): readonly string[] =>
  form === undefined ? mediaTypes : [...mediaTypes, FORM_TYPE]

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

/** A path parameter. `undefined` if it is not percent-encoded correctly. */
export const decodedSegment = (text = ''): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
