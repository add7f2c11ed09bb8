/** Where a line goes: the host's own logger, or stderr where the host has none. */
export interface Log {
  info(line: string): void
  warn(line: string): void
  /** `error` is for the log alone: nothing of it is sent. */
  error(line: string, error: unknown): void
}
