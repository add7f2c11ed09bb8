import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { problem } from '../../error/errors.ts'
import { HeadCall } from '../call.ts'
import type { ProblemsContext } from '../host.ts'
import { sendToNode } from '../node/response.ts'
import { ofServer } from '../own-errors.ts'
import { nothingHere, refuse } from '../serve.ts'
import { ExpressHead } from './head.ts'

/** The last handlers of an application, which make the errors of its own routes problem documents. */
export const problemHandlers = (
  given: ProblemsContext,
): readonly (RequestHandler | ErrorRequestHandler)[] => {
  const callOf = (request: Request) => new HeadCall(new ExpressHead(request), undefined, undefined, given)
  const send = (error: unknown, request: Request, response: Response): void =>
    sendToNode(request, response, refuse(error, callOf(request)))
  const missing: RequestHandler = (request, response) =>
    send(nothingHere(callOf(request).path), request, response)
  // Express recognizes it by its four parameters.
  const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (response.headersSent) next(error)
    else send(ofParser(error) ?? ofServer(error), request, response)
  }
  return given.notFound ? [missing, failed] : [failed]
}

/** The error of `express.json()` for a body that is not JSON, or of `multer`, whose errors have no status. */
const ofParser = (error: unknown) => {
  const { type, name, code, message } = Object(error) as Readonly<Record<string, unknown>>
  if (type === 'entity.parse.failed') return problem('malformed_json', String(message))
  if (name !== 'MulterError') return undefined
  return problem(code === 'LIMIT_FILE_SIZE' ? 'body_too_large' : 'rejected', String(message))
}
