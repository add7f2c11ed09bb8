import type { ParseArgsOptionsConfig } from 'node:util'

/** Where a command writes, and where its paths begin. */
export interface Terminal {
  /** The working folder. */
  readonly folder: string
  /** A line of what was asked for. */
  print(line: string): void
}

/** Options as they were written: those without a value are `true`. */
export type Given = Readonly<Record<string, string | boolean | undefined>>

/** One command. */
export interface Command {
  /** Its words: `files clean`. */
  readonly name: string
  /** A sentence for the list of commands. */
  readonly summary: string
  /** Behind its name: `--api-module <path> [--dry-run]`. */
  readonly usage: string
  readonly options: ParseArgsOptionsConfig
  /** A line for each option. */
  readonly help: readonly string[]
  /** @throws UsageError for wrong use; anything else is a failure */
  run(given: Given, terminal: Terminal): Promise<void>
}
