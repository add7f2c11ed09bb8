import { writeKey } from '../model/kinds/index.ts'
import { hasOperation } from '../model/operations.ts'
import type { Call, Reply } from '../operation/call.ts'
import { UNCOUNTED } from '../operation/memory-budget.ts'
import { includesTag, sentTags } from '../operation/preconditions.ts'
import { hookResultJson } from '../schema/serialiser.ts'
import { sizingOf } from '../source/sizing.ts'
import { entityTag } from './entity-tag.ts'
import { isHead, JSON_TYPE, type Written } from './record.ts'
import type { Resource } from './resource.ts'

export const recordReply = (resource: Resource, written: Written): Reply => {
  const body = recordText(resource, written)
  if (body === undefined) return noContent
  return { status: 200, headers: { 'content-type': JSON_TYPE, ...tagged(resource, written, body) }, body }
}

const tagged = (resource: Resource, written: Written, text: string) => ({
  etag: `"${entityTag(resource, written, text)}"`,
})

/** The response to a create. @param collection the path above the new record */
export const createdReply = (resource: Resource, written: Written, collection: string): Reply => {
  const { model } = resource
  const location = hasOperation(model, 'read') && {
    location: `${collection}/${writeKey(model, written.record)}`,
  }
  const body = recordText(resource, written)
  if (body === undefined) return { ...noContent, headers: { ...location } }
  const headers = { 'content-type': JSON_TYPE, ...location, ...tagged(resource, written, body) }
  return { status: 201, headers, body }
}

/** The JSON of a record. `undefined` if it cannot be shown. */
export const recordText = (
  { model, serialiser }: Resource,
  { record, shown, members }: Written,
): string | undefined => {
  const text =
    shown === record
      ? serialiser.record(record, members)
      : shown && JSON.stringify({ ...hookResultJson(model, shown), ...members })
  // Those who read the next one should hold its memory first.
  if (members === undefined && text !== undefined && text.length > UNCOUNTED)
    sizingOf(model).admitting(undefined)([text.length])
  return text
}

export const noContent: Reply = Object.freeze({ status: 204, headers: Object.freeze({}), body: undefined })

/**
 * The response to a read: 304 if the client has it already.
 *
 * @param isWhole whether a HEAD request has the same JSON as GET. Otherwise it has no tag
 */
export const detailReply = (resource: Resource, written: Written, call: Call, isWhole: boolean): Reply => {
  const reply = recordReply(resource, written)
  const { etag, ...headers } = reply.headers
  if (etag === undefined || (isHead(call) && !isWhole)) return { ...reply, headers }
  if (call.header('if-none-match') === undefined) return reply
  const sent = sentTags(call, 'if-none-match')
  const isKnown = sent !== undefined && includesTag(sent, String(etag).slice(1, -1))
  return isKnown ? { status: 304, headers: { etag }, body: undefined } : reply
}
