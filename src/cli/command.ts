import type { Command } from 'commander'

/** What gives a text a colour, or leaves it as it is where nobody would see colours. */
export type Colours = Readonly<Record<'dim' | 'red' | 'yellow', (text: string) => string>>

/** Where a command writes, and where its paths begin. */
export interface Terminal {
  /** The working folder. */
  readonly folder: string
  /** Of what goes to `note`. */
  readonly colours: Colours
  /** A line of what was asked for: stdout. */
  print(line: string): void
  /** A line about the work: stderr. */
  note(line: string): void
}

/** Makes a command of the program. Its action throws UsageError for wrong use; anything else is a failure. */
export type MakeCommand = (terminal: Terminal) => Command
