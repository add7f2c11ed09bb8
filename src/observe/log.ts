type Details = Readonly<Record<string, unknown>>

/** The logger of the host, or stderr if the host has none. */
export interface Log {
  /** @param details separate fields for a structured logger */
  info(line: string, details?: Details): void
  warn(line: string, details?: Details): void
  /** `error` is only logged and never sent to clients. */
  error(line: string, error: unknown): void
}

/** The same log, with values removed from its errors. */
export const cleanLog = (log: Log, loggable: ((error: unknown) => unknown) | undefined): Log =>
  loggable === undefined ? log : { ...log, error: (line, error) => log.error(line, loggable(error)) }

/** Writes a string, which may have several lines. */
type WriteText = (text: string) => void

/**
 * A log that writes strings. Details are written as JSON at the end of the line, errors with their stack and causes.
 *
 * Clients cannot forge lines: line breaks in a string are written as `\u000a`, and all lines of an error after the
 * first are indented.
 */
export const textLog = (write: Readonly<Record<keyof Log, WriteText>>): Log => ({
  info: (line, details) => write.info(withDetails(line, details)),
  warn: (line, details) => write.warn(withDetails(line, details)),
  error: (line, error) =>
    write.error(`${inOneLine(line)}: ${describe(error).split(lineBreak).map(inOneLine).join('\n  ')}`),
})

const withDetails = (line: string, details?: Details): string =>
  inOneLine(details === undefined ? line : `${line} ${toJson(details)}`)

const toStderr: WriteText = (text) => void process.stderr.write(`${text}\n`)

/** The log of hosts without a logger. */
export const stderrLog: Log = textLog({ info: toStderr, warn: toStderr, error: toStderr })

/** The same log for one request. Every line contains the id of the request. */
export const requestLog = (requestId: () => string, log: Log = stderrLog): Log => ({
  info: (line, details) => log.info(line, { ...details, request_id: requestId() }),
  warn: (line, details) => log.warn(line, { ...details, request_id: requestId() }),
  error: (line, error) => {
    const id = requestId()
    log.error(line.includes(id) ? line : `${line}, request ${id}`, error)
  },
})

const describe = (error: unknown): string => {
  const errors = [...causesOf(error)]
  const texts = errors.map(({ stack, message }) => stack ?? message)
  const last = errors.at(-1)
  const rest = last === undefined ? error : last.cause
  if ((last === undefined || rest !== undefined) && !(rest instanceof Error)) texts.push(textOf(rest))
  return texts.join('\ncaused by ')
}

/** Not every thrown value can be converted to a string. */
const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return 'a value that cannot be converted to a string'
  }
}

const toJson = (details: Details): string =>
  JSON.stringify(details, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

const lineBreak = /\r?\n/

/** Escapes control characters, which could also manipulate a terminal, and Unicode line breaks. */
export const inOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The message of the innermost cause, which is the most specific: `connect ECONNREFUSED 127.0.0.1:5432`. */
export const reasonOf = (error: unknown): string =>
  [...causesOf(error)].map(messageOf).findLast((text) => text !== '') ?? 'unknown error'

/**
 * The message of an error. If Node.js tried several addresses of a host, its error contains an error for each address and
 * has no message itself.
 */
export const messageOf = (error: Error): string =>
  error.message === '' && error instanceof AggregateError
    ? [...new Set(error.errors.map((one: unknown) => (one instanceof Error ? one.message : '')))].join('; ')
    : error.message

/** A limit that no library reaches by wrapping errors. */
const MAX_CAUSES = 20

/** An error and its causes, outermost first, without repetitions. A cause that is not an Error ends the chain. */
export function* causesOf(error: unknown): Generator<Error, void> {
  const seen = new Set<Error>()
  let inner = error
  while (inner instanceof Error && !seen.has(inner) && seen.size < MAX_CAUSES) {
    seen.add(inner)
    yield inner
    inner = inner.cause
  }
}
