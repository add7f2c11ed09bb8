import { createHash } from 'node:crypto'
import { HttpError } from '../error/errors.ts'
import { kinds } from '../model/kinds/index.ts'
import { versionField } from '../model/model.ts'
import { ownValue, type Values } from '../model/objects.ts'
import type { Row } from '../source/source.ts'
import { isNarrowed, type Resource } from './resource.ts'

/** A record and what a response shows of it. */
export interface Shown {
  readonly record: Row
  /** The same as it is stored, if `record` has the URLs of files. */
  readonly stored?: Row
  /** The record in the response, possibly replaced by a hook. `undefined` if the caller may not read the record. */
  readonly shown: object | undefined
  /** Computed fields, and the related records that were written with it, as members of its JSON. */
  readonly members?: Values
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Separates what identifies the record from what identifies its JSON. In neither of them. */
const SEPARATOR = '/'

/**
 * Identifies the state of a stored record: its version, otherwise a hash of the fields that the caller may read. Empty if a value
 * cannot be represented.
 */
export const stateOf = (resource: Resource, stored: Row, text?: string): string => {
  const { model, serialiser } = resource
  const field = versionField(model)
  if (field !== undefined) return String(kinds[field.kind].write(ownValue(stored, field.name), field))
  if (text !== undefined) return hash(text)
  try {
    return hash(serialiser.record(stored))
  } catch (error) {
    if (error instanceof HttpError) return ''
    throw error
  }
}

/** The state that an entity tag of a response contains, without its quotes. */
export const stateIn = (tag: string): string => tag.split(SEPARATOR, 1)[0] ?? ''

/**
 * The entity tag of a response, without its quotes. If its JSON depends on more than the state of the record, such as on related
 * records, hooks or the caller, the tag also has a hash of that JSON.
 *
 * @param text the JSON
 */
export const entityTag = (
  resource: Resource,
  { record, stored = record, shown, members }: Shown,
  text: string,
): string => {
  const isStored = shown === stored && members === undefined
  const state = stateOf(resource, stored, isStored ? text : undefined)
  const isWhole = isStored && (resource.model.version === undefined || !isNarrowed(resource))
  return isWhole ? state : `${state}${SEPARATOR}${hash(text)}`
}
