import type { ErrorCode } from './codes.ts'
import { clipped, HttpError, type Issue, ValueError } from './errors.ts'
import { meaningOf, type OwnCodes } from './own-codes.ts'

/** The body of every error response (RFC 9457), sent as `application/problem+json`. */
export interface Problem {
  /** A URN with the code, such as `urn:modelrest:problem:not_found`, or a URI of the application. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The path of the request. A long path is cut and ends with `…`. */
  readonly instance: string
  readonly code: ErrorCode
  readonly errors?: readonly Issue[]
  /** The identifier of the request in the log. Only on errors of 500 and above. */
  readonly request_id?: string
}

/** Converts anything thrown into an {@link HttpError}: a `ValueError` into a 400, unknown errors into an opaque 500. */
export const toHttpError = (thrown: unknown): HttpError => {
  if (thrown instanceof HttpError) return thrown
  if (thrown instanceof ValueError) return new HttpError(400, thrown.message, { code: 'rejected' })
  return new HttpError(500, 'The server could not handle this request.', {
    code: 'internal_error',
    cause: thrown,
  })
}

/** @param own the meanings of the application's codes */
export const toProblem = (
  error: HttpError,
  instance: string,
  requestId: string,
  own?: OwnCodes,
): Problem => ({
  ...meaningOf(error.code, own),
  status: error.status,
  detail: error.detail,
  instance: clipped(instance, 'path'),
  code: error.code,
  ...(error.errors.length > 0 ? { errors: error.errors } : {}),
  ...(error.status >= 500 ? { request_id: requestId } : {}),
})
