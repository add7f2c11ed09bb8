import type { Log } from '../../observe/log.ts'
import { requestLog, stderrLog } from '../../observe/stderr-log.ts'
import type { FastifyLog } from './app.ts'

/**
 * The application's logger, or stderr where it was made without one.
 *
 * @param call whose logger it is: the application's own names the request by itself
 */
export const toLog = (log: FastifyLog, call?: { readonly requestId: string }): Log =>
  isSilent(log)
    ? silentLog(call)
    : {
        info: (line, details) => (details === undefined ? log.info(line) : log.info(details, line)),
        warn: (line, details) => (details === undefined ? log.warn(line) : log.warn(details, line)),
        error: (line, error) => log.error({ err: error }, line),
      }

const silentLog = (call: { readonly requestId: string } | undefined): Log =>
  call === undefined ? stderrLog : requestLog(() => call.requestId)

/** Without a logger Fastify has a stand-in whose methods are all the same empty function. */
const isSilent = (log: FastifyLog): boolean => {
  const { info, warn, error }: Readonly<Record<'info' | 'warn' | 'error', unknown>> = log
  return info === warn && warn === error
}
