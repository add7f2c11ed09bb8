import { type ErrorCode, generalCodes, isProblemCode, problemCodes } from './codes.ts'

/** The meaning of a code of the application. */
export interface OwnCode {
  /** The status of every error with this code, from 400 to 599. */
  readonly status: number
  /** The member `title` of the problem: what the code means, in a few words. */
  readonly title: string
  /** The member `type` of the problem: an absolute URI, such as that of a page about it. @default a URN with the code */
  readonly type?: string
}

/** Code -> its meaning. */
export type OwnCodes = Readonly<Record<string, OwnCode>>

const LONGEST = 60

/** The code of an error that has none of its own. It says no more than the status. */
export const generalCode = (status: number): ErrorCode =>
  generalCodes[status] ?? (status < 500 ? 'rejected' : 'internal_error')

/** Whether an application may define the code. */
export const isOwnCode = (code: string): boolean =>
  !isProblemCode(code) && statusOfGeneral(code) === undefined

/** The reason why an error with this status cannot have this code. */
export const codeMistake = (status: number, code: string): string | undefined => {
  if (code === generalCode(status)) return undefined
  const meant = isProblemCode(code) ? problemCodes[code].status : statusOfGeneral(code)
  if (meant !== undefined && meant !== status)
    return `the code ${code} belongs to the status ${meant}, not to ${status}. Use another code.`
  if (meant !== undefined || (code.length <= LONGEST && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code)))
    return undefined
  return `a code must be in snake case with at most ${LONGEST} characters, such as ticket_closed, not ${JSON.stringify(code.slice(0, 2 * LONGEST))}.`
}

const statusOfGeneral = (code: string): number | undefined => {
  const found = Object.entries(generalCodes).find(([, general]) => general === code)
  return found && Number(found[0])
}

/** The `type` and `title` of a problem. An own code that is not listed is its own title: `ticket_closed` -> `Ticket closed`. */
export const meaningOf = (
  code: ErrorCode,
  own: OwnCodes = {},
): { readonly type: string; readonly title: string } => {
  const listed = Object.hasOwn(own, code) ? own[code] : undefined
  const { type = `urn:modelrest:problem:${code}`, title = titleOf(code) } = listed ?? {}
  return { type, title }
}

const titleOf = (code: string): string => {
  if (isProblemCode(code)) return problemCodes[code].title
  const words = code.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** The status of a code in the documentation. */
export const statusOf = (code: ErrorCode, own: OwnCodes): number =>
  isProblemCode(code) ? problemCodes[code].status : (own[code]?.status ?? statusOfGeneral(code) ?? 400)
