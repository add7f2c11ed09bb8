import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import type { Command } from 'commander'

export interface Terminal {
  readonly folder: string
  /** Colors a string if the output supports it. */
  paint(style: 'dim' | 'red' | 'yellow', text: string): string
  /** Writes a line of the result to stdout. */
  print(line: string): void
  /** Writes a progress or error line to stderr. */
  note(line: string): void
}

/** Creates a command of the program. Its action throws UsageError for a usage error; any other error is a failure. */
export type MakeCommand = (terminal: Terminal) => Command

/** A wrong command line. The exit code is 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

/** A failed command. The message is complete without a stack. The exit code is 1. */
export class CliError extends Error {
  override readonly name: string = 'Failure'
}

/** Describes a failed file operation, with its path: `permission denied: /shop/client/a.py`. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const errno: unknown = Reflect.get(error, 'errno')
  if (typeof errno !== 'number') return error.message
  const paths = [Reflect.get(error, 'path'), Reflect.get(error, 'dest')]
  const named = paths.filter((path): path is string => typeof path === 'string').join(' -> ')
  const reason = getSystemErrorMessage(errno)
  return named === '' ? reason : `${reason}: ${named}`
}

export const inColumns = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The files below a folder, as relative paths with `/`. Links count as files. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((file) => `${entry.name}/${file}`)
      : [entry.name],
  )
