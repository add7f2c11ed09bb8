import type { Call, Reply } from '../operation/call.ts'
import { shownJson } from '../schema/shown.ts'
import { writeKey } from './key.ts'
import type { Resource } from './resource.ts'
import type { Written } from './write.ts'

export const JSON_TYPE = 'application/json'
const headers = Object.freeze({ 'content-type': JSON_TYPE })

export const json = (body: string): Reply => ({ status: 200, headers, body })

/** What is found is not written for a client that asks for no body: its length stays unsaid (RFC 9110, 9.3.2). */
export const isHead = ({ method }: Call): boolean => method === 'HEAD'

export const headOnly: Reply = Object.freeze({ status: 200, headers, body: undefined })

/** A record in the detail schema. */
export const record = (resource: Resource, written: Written): Reply => {
  const body = recordText(resource, written)
  return body === undefined ? noContent : json(body)
}

/** The record, and where it is found: below the path that it was sent to. */
export const created = (resource: Resource, written: Written, call: Call): Reply => {
  const location = `${call.path.replace(/\/$/, '')}/${writeKey(resource.model, written.record)}`
  const body = recordText(resource, written)
  if (body === undefined) return { ...noContent, headers: { location } }
  return { status: 201, headers: { 'content-type': JSON_TYPE, location }, body }
}

const recordText = ({ model, serialiser }: Resource, { record: row, shown }: Written): string | undefined => {
  if (shown === row) return serialiser.record(row)
  return shown && JSON.stringify(shownJson(model, shown))
}

export const noContent: Reply = Object.freeze({ status: 204, headers: Object.freeze({}), body: undefined })
