import type { Row } from '../source/source.ts'

/** A body that has been read: its values in the form that is stored, and the fields that the client named. */
export interface Body {
  readonly values: Row
  readonly sent: readonly string[]
}

/** The names that a body has. */
export const namesIn = (body: unknown): readonly string[] =>
  typeof body === 'object' && body !== null ? Object.keys(body) : []

/** The fields that come from a client. What a schema of the application's own makes of a body may have other names. */
export const fromClient = ({ values, sent }: Body, isCustom: boolean): readonly string[] =>
  isCustom ? [...sent, ...Object.keys(values)] : sent
