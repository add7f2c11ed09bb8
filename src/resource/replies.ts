import type { Call, Reply } from '../operation/call.ts'
import type { Row } from '../source/source.ts'
import { writeKey } from './key.ts'
import type { Resource } from './resource.ts'

export const JSON_TYPE = 'application/json'
const headers = Object.freeze({ 'content-type': JSON_TYPE })

export const json = (body: string): Reply => ({ status: 200, headers, body })

/** A record in the detail schema. */
export const record = (resource: Resource, row: Row): Reply => json(resource.serialiser.record(row))

/** 201 with the record and where it is found: below the path that it was sent to. */
export const created = (resource: Resource, row: Row, call: Call): Reply => ({
  status: 201,
  headers: {
    'content-type': JSON_TYPE,
    location: `${call.path.replace(/\/$/, '')}/${writeKey(resource.model, row)}`,
  },
  body: resource.serialiser.record(row),
})

export const noContent: Reply = Object.freeze({ status: 204, headers: Object.freeze({}), body: undefined })
