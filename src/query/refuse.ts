import type { IssueCode, ProblemCode } from '../error/codes.ts'
import { type HttpError, problem } from '../error/http-error.ts'

/** Nobody reads more of what they sent than this, and no reply grows with it. */
const SHOWN = 60

const clip = (text: string): string =>
  text.length <= SHOWN
    ? text
    : `${Array.from(text.slice(0, 2 * SHOWN))
        .slice(0, SHOWN)
        .join('')}…`

/** What the client wrote, in an error: a plain name as it is, anything else quoted, so that white space shows. */
export const shown = (text: string): string => (/^\w{1,60}$/.test(text) ? text : JSON.stringify(clip(text)))

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
): HttpError => problem(code, detail, { errors: [{ parameter: clip(parameter), code: issue, detail }] })
