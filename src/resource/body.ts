import type { Row } from '../source/source.ts'
import type { Uploads } from '../upload/uploads.ts'

/** A body that has been read: its values in the form that is stored, and the fields that the client named. */
export interface Body {
  readonly values: Row
  readonly sent: readonly string[]
  /** The files that came with it. */
  readonly uploads?: Uploads
}

/** The names that a body has. */
export const namesIn = (body: unknown): readonly string[] =>
  typeof body === 'object' && body !== null ? Object.keys(body) : []

/** The fields that come from a client. What a schema of the application's own makes of a body may have other names. */
export const fromClient = ({ values, sent }: Body, isCustom: boolean): readonly string[] =>
  isCustom ? [...sent, ...Object.keys(values)] : sent

/**
 * Values with the files that came with them, `{ key, name, type, size }` each, in the place of their keys, or of copies
 * that a schema or a hook has made.
 */
export const withUploads = <Values extends object>(values: Values, uploads: Uploads | undefined): Values => {
  const found = [...(uploads?.files ?? [])].filter(
    ([name, { key }]) => keyOf(Reflect.get(values, name)) === key,
  )
  return found.length === 0 ? values : { ...values, ...Object.fromEntries(found) }
}

const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, 'key') : value
