import { type ArgumentsHost, type ExceptionFilter, HttpException } from '@nestjs/common'
import { type AbstractHttpAdapter, BaseExceptionFilter } from '@nestjs/core'
import { HttpError, type Issue } from '../../error/errors.ts'
import { HeadCall } from '../call.ts'
import type { ProblemsContext } from '../host.ts'
import { ofServer } from '../own-errors.ts'
import { replyToError } from '../serve.ts'
import type { Platform } from './platform.ts'

/** A global filter that makes the errors of controllers problem documents. It catches all errors. */
export const problemFilter = (
  adapter: AbstractHttpAdapter,
  { headOf, send }: Pick<Platform, 'headOf' | 'send'>,
  given: ProblemsContext,
): ExceptionFilter => ({
  catch: (error: unknown, host: ArgumentsHost): void => {
    const http = host.switchToHttp()
    const [request, response] = [http.getRequest(), http.getResponse()]
    const head = host.getType() === 'http' ? headOf(request) : undefined
    // A gateway or a microservice.
    if (head === undefined) throw error
    const isSent = adapter.isHeadersSent(response)
    if (isSent || isRedirect(error) || (!given.notFound && isUnknownPath(error, head)))
      new BaseExceptionFilter(adapter).catch(error, host)
    else
      send(request, response, replyToError(problemOf(error), new HeadCall(head, undefined, undefined, given)))
  },
})

const isRedirect = (error: unknown): boolean => error instanceof HttpException && error.getStatus() < 400

/** Nest's own error for a path without a controller. */
const isUnknownPath = (error: unknown, { method, url }: { readonly method: string; readonly url: string }) =>
  error instanceof HttpException && error.getStatus() === 404 && error.message === `Cannot ${method} ${url}`

const problemOf = (error: unknown): unknown => {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return ofServer(error)
  const response: unknown = error.getResponse()
  const message: unknown = Object(response).message ?? error.message
  if (!Array.isArray(message)) return new HttpError(error.getStatus(), String(message), { cause: error })
  // Those of ValidationPipe name the property, but not in a form that programs can read.
  const errors = message.map((detail): Issue => ({ code: 'invalid', detail: String(detail) }))
  return new HttpError(error.getStatus(), 'The request is not valid.', { errors, cause: error })
}
