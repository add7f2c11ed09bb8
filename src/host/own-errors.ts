import { HttpError, problem, ValueError } from '../error/errors.ts'
import { generalCode, meaningOf } from '../error/own-codes.ts'
import { isHeaderLine } from './serve.ts'

/** Whether an error is one that the application throws for clients. */
export const isForClients = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof ValueError

/**
 * Gives an error of the application's own code the status and the headers that its server would use. The message of a server
 * error is only logged. That of a client error is sent, unless the error says `expose: false`, as those of `http-errors` do.
 *
 * @param replyStatus the status that the response had when the error was thrown
 */
export const ofServer = (error: unknown, replyStatus?: number): unknown => {
  if (isForClients(error)) return error
  const refused = ofParser(error)
  if (refused !== undefined) return refused
  const { statusCode, status, message, expose } = Object(error) as Readonly<Record<string, unknown>>
  const meant = [statusCode, status, replyStatus].find(isErrorStatus)
  if (meant === undefined) return error
  const headers = headersOf(error)
  if (meant === 500 && Object.keys(headers).length === 0) return error
  const isShown = meant < 500 && expose !== false && typeof message === 'string' && message !== ''
  return new HttpError(meant, isShown ? message : generalText(meant), { cause: error, headers })
}

/** The error of `express.json()` for a body that is not JSON, or of `multer`, whose errors have no status. */
const ofParser = (error: unknown) => {
  const { type, name, code, message } = Object(error) as Readonly<Record<string, unknown>>
  if (type === 'entity.parse.failed') return problem('malformed_json', String(message))
  if (name !== 'MulterError') return undefined
  return problem(code === 'LIMIT_FILE_SIZE' ? 'body_too_large' : 'rejected', String(message))
}

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599

const generalText = (status: number): string =>
  status < 500
    ? `${meaningOf(generalCode(status)).title}.`
    : 'The server cannot process this request at the moment.'

/** Those that describe the body of the response that the error would have had, or its connection. */
const ofOtherBody =
  /^(content-(type|length|encoding|language)|transfer-encoding|connection|keep-alive|trailer|upgrade)$/

/** The headers of an error of `http-errors`, or of the response in an `HTTPException` of Hono. Of cookies, only the last one. */
const headersOf = (error: unknown): Readonly<Record<string, string>> => {
  const { headers } = Object(responseOf(error) ?? error) as { readonly headers?: unknown }
  const given: Iterable<readonly [string, unknown]> =
    headers instanceof Headers ? headers : Object.entries(Object(headers))
  const kept = [...given].flatMap(([name, value]) => {
    const [key, line] = [name.toLowerCase(), lineOf(name, value)]
    return line !== '' && isHeaderLine(key, line) && !ofOtherBody.test(key) ? [[key, line]] : []
  })
  return Object.fromEntries(kept)
}

const lineOf = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return /^set-cookie$/i.test(name) ? String(value.at(-1)) : value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** `getResponse()` takes over the body of `res`, so it works only once. */
const responseOf = (error: unknown): Response | undefined => {
  const { res, getResponse } = Object(error) as Readonly<Record<string, unknown>>
  const response = res ?? (typeof getResponse === 'function' ? getResponse.call(error) : undefined)
  return response instanceof Response ? response : undefined
}
