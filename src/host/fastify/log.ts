import type { Log } from '../../observe/log.ts'
import { stderrLog } from '../../observe/stderr-log.ts'
import type { FastifyLog } from './app.ts'

/** The application's logger, or stderr where it was made without one. */
export const toLog = (log: FastifyLog): Log =>
  isSilent(log)
    ? stderrLog
    : {
        info: (line, details) => (details === undefined ? log.info(line) : log.info(details, line)),
        warn: (line, details) => (details === undefined ? log.warn(line) : log.warn(details, line)),
        error: (line, error) => log.error({ err: error }, line),
      }

/** Without a logger Fastify has a stand-in whose methods are all the same empty function. */
const isSilent = (log: FastifyLog): boolean => {
  const { info, warn, error }: Readonly<Record<'info' | 'warn' | 'error', unknown>> = log
  return info === warn && warn === error
}
