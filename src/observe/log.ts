type Details = Readonly<Record<string, unknown>>

/** Where a line goes: the host's own logger, or stderr if the host has none. */
export interface Log {
  /** @param details Fields of their own for a structured logger. Nothing in them begins a new line. */
  info(line: string, details?: Details): void
  warn(line: string, details?: Details): void
  /** `error` is for the log alone: nothing of it is sent. */
  error(line: string, error: unknown): void
}

/** The same log, which gets of errors what it may have. */
export const cleanLog = (log: Log, loggable: ((error: unknown) => unknown) | undefined): Log =>
  loggable === undefined ? log : { ...log, error: (line, error) => log.error(line, loggable(error)) }

const write = (line: string, details?: Details): void => {
  process.stderr.write(`${inOneLine(details === undefined ? line : `${line} ${toJson(details)}`)}\n`)
}

/**
 * Where a host has no logger of its own. Details are written as JSON behind the line, errors with their stack and causes.
 *
 * What begins at the start of a line is ours: line breaks in a text are written as `\u000a`, and what follows the first
 * line of an error is set in.
 */
export const stderrLog: Log = {
  info: write,
  warn: write,
  error: (line, error) => {
    process.stderr.write(
      `${inOneLine(line)}: ${describe(error).split(lineBreak).map(inOneLine).join('\n  ')}\n`,
    )
  },
}

/** The same for what happens in one request: every line names it, as a structured logger does. */
export const requestLog = (requestId: () => string): Log => ({
  info: (line, details) => stderrLog.info(line, { ...details, request_id: requestId() }),
  warn: (line, details) => stderrLog.warn(line, { ...details, request_id: requestId() }),
  error: (line, error) => {
    const id = requestId()
    stderrLog.error(line.includes(id) ? line : `${line}, request ${id}`, error)
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

/** Not everything that can be thrown can be made a text. */
const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return 'something without a text'
  }
}

const toJson = (details: Details): string =>
  JSON.stringify(details, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

const lineBreak = /\r?\n/

/** Control characters, with which a text could also rewrite a terminal, and the line breaks of Unicode. */
const inOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Others wrap errors in errors too: this is more than any of them does. */
const MAX_CAUSES = 20

/** An error and what caused it, the outermost first, each of them once. What is no error ends the chain. */
export function* causesOf(error: unknown): Generator<Error, void> {
  const seen = new Set<Error>()
  let inner = error
  while (inner instanceof Error && !seen.has(inner) && seen.size < MAX_CAUSES) {
    seen.add(inner)
    yield inner
    inner = inner.cause
  }
}
