import { type HttpError, problem } from '../error/http-error.ts'
import { type Issue, pointerTo } from '../error/issue.ts'

/** The refusal of a body that is no multipart: 400. */
export const malformed = (detail: string, cause?: unknown): HttpError =>
  problem('malformed_multipart', `The multipart body cannot be read. ${detail}`, { cause })

/** The refusal of more than a limit allows: 413. */
export const tooMuch = (detail: string, name?: string): HttpError =>
  problem('body_too_large', detail, {
    errors: name === undefined ? [] : [{ pointer: pointerTo([name]), code: 'body_too_large', detail }],
  })

/** The refusal of a part whose name or content does not fit: 422. @param place its name, or the path to what is wrong in it */
export const misfit = (
  place: string | readonly (string | number)[],
  code: Issue['code'],
  detail: string,
): HttpError =>
  problem('invalid_body', `The body does not fit the schema. ${detail}`, {
    errors: [{ pointer: pointerTo([place].flat()), code, detail }],
  })

/** The refusal of a body that takes too long: 408. */
export const tooSlow = (detail: string): HttpError => problem('request_timeout', detail)
