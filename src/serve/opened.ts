import type { SqlDatabase } from '../source/sql/port.ts'

/** A database that the service has opened. */
export interface OpenedDatabase {
  readonly database: SqlDatabase
  close(): Promise<void>
}

export interface OpeningOptions {
  /** Whether the database accepts writes. Otherwise, it refuses them itself. */
  readonly writes: boolean
  /** Milliseconds after which the database ends a statement. */
  readonly timeout: number
  /** Loads a driver of the project. @throws StartError if it is not installed */
  load(name: string): Promise<unknown>
}

export type OpenDatabase = (place: string, options: OpeningOptions) => Promise<OpenedDatabase>

/** The maximum time to connect to a server, in milliseconds. */
export const CONNECTING = 10_000

/** A module of CommonJS has its members in `default`. */
export const driverIn = <Driver>(module: unknown, member: string & keyof Driver): Driver => {
  const { [member]: own, default: inner }: Readonly<Record<string, unknown>> = Object(module)
  return (own === undefined ? inner : module) as Driver
}
