import { HttpError, ValueError } from '../error/errors.ts'

/** Whether an error is one that the application throws for clients. */
export const isForClients = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof ValueError

/**
 * Gives an error of the application's own code the status that its server would use. The message of a server error is only
 * logged.
 *
 * @param replyStatus the status that the response had when the error was thrown
 */
export const ofServer = (error: unknown, replyStatus?: number): unknown => {
  if (isForClients(error)) return error
  const { statusCode, status, message } = Object(error) as Readonly<Record<string, unknown>>
  const meant = [statusCode, status, replyStatus].find(isErrorStatus)
  if (meant === undefined || meant === 500) return error
  const detail = meant < 500 ? String(message) : 'The server cannot process this request at the moment.'
  return new HttpError(meant, detail, { cause: error })
}

const isErrorStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 400 && status <= 599
