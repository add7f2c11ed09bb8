import { causesOf } from './causes.ts'
import type { Details, Log } from './log.ts'

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
  const last = errors.at(-1)
  const texts = errors.map(({ stack, message }) => stack ?? message)
  const rest = last === undefined ? error : last.cause
  const isText = last === undefined || rest !== undefined
  if (isText && !(rest instanceof Error)) texts.push(textOf(rest))
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
