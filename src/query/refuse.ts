import type { ProblemCode } from '../error/codes.ts'
import { type HttpError, problem } from '../error/http-error.ts'

/** A refusal that is about one query parameter. The detail says what is allowed. */
export const refuse = (code: ProblemCode, parameter: string, detail: string): HttpError =>
  problem(code, detail, { errors: [{ parameter, code, detail }] })
