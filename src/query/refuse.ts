import type { IssueCode, ProblemCode } from '../error/codes.ts'
import { type HttpError, problem } from '../error/http-error.ts'
import { shortened } from '../error/issue.ts'

/** What the client wrote, in an error: a plain name as it is, anything else quoted, so that white space shows. */
export const shown = (text: string): string =>
  /^\w{1,60}$/.test(text) ? text : JSON.stringify(shortened(text))

/**
 * A refusal that is about one query parameter. The detail says what is allowed.
 *
 * @param issue The code of its entry in `errors`, where that says more. @default `code`
 */
export const refuse = (
  code: ProblemCode,
  parameter: string,
  detail: string,
  issue: IssueCode | ProblemCode = code,
): HttpError => problem(code, detail, { errors: [{ parameter: shortened(parameter), code: issue, detail }] })
