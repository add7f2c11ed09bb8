import type { Log } from './log.ts'

const write = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Where a host has no logger of its own. Errors are written with their stack and causes. */
export const stderrLog: Log = {
  info: write,
  warn: write,
  error: (line, error) => write(`${line}: ${describe(error)}`),
}

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
