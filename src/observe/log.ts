/** What a line is about, by name: texts, numbers, booleans and null. */
export type Details = Readonly<Record<string, unknown>>

/** Where a line goes: the host's own logger, or stderr where the host has none. */
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
