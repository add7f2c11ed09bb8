import { hash } from 'node:crypto'
import { HttpError, problem } from '../../error/errors.ts'
import { kinds, writeKey } from '../../model/kinds/index.ts'
import { versionField } from '../../model/model.ts'
import { ownValue, type Values } from '../../model/objects.ts'
import { hasOperation } from '../../model/operations.ts'
import type { Call, Reply } from '../../operation/call.ts'
import { UNCOUNTED } from '../../operation/memory-budget.ts'
import { isHead } from '../../operation/methods.ts'
import { includesTag, sentTags } from '../../operation/preconditions.ts'
import type { Selection } from '../../query/ast.ts'
import type { ListQuery } from '../../query/list-query.ts'
import type { Envelope, PageShell } from '../../schema/envelope.ts'
import {
  hookResultJson,
  hookWriting,
  jsonPage,
  textWith,
  type WrittenMembers,
} from '../../schema/serialiser.ts'
import { sizingOf } from '../../source/sizing.ts'
import type { Row } from '../../source/source.ts'
import { namesOf } from '../parts/declared.ts'
import type { MemoryBounds } from '../parts/records.ts'
import { isNarrowed, type Page, type Resource, type ShownPage } from '../parts/resource.ts'

/** A record and what a response shows of it. */
export interface Shown {
  readonly record: Row
  /** The same as it is stored, if `record` has the URLs of files. */
  readonly stored?: Row
  /** The record in the response, possibly replaced by a hook. `undefined` if the caller may not read the record. */
  readonly shown: object | undefined
  /** Computed fields, as members of its JSON. */
  readonly members?: Values
  /** Related records that it includes, or that were written with it. */
  readonly included?: WrittenMembers
  /** The fields that the client chose. The entity tag is that of all of them. @default all */
  readonly fields?: readonly string[]
}

const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)

/** Separates what identifies the record from what identifies its JSON. In neither of them. */
const SEPARATOR = '/'

/**
 * Identifies the state of a stored record: its version, otherwise a hash of the fields that the caller may read. Empty if a value
 * cannot be represented.
 */
export const stateOf = (resource: Pick<Resource, 'model' | 'bodies'>, stored: Row, text?: string): string => {
  const { model } = resource
  const { serialiser } = resource.bodies
  const field = versionField(model)
  if (field !== undefined) return String(kinds[field.kind].write(ownValue(stored, field.name), field))
  if (text !== undefined) return digest(text)
  try {
    return digest(serialiser.record(stored))
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
const entityTag = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  { record, stored = record, shown, members, included }: Shown,
  text: string,
): string => {
  const isStored = shown === stored && members === undefined && included === undefined
  const state = stateOf(resource, stored, isStored ? text : undefined)
  const isWhole = isStored && (resource.model.version === undefined || !isNarrowed(resource.access))
  return isWhole ? state : `${state}${SEPARATOR}${digest(text)}`
}

export const recordReply = (resource: Pick<Resource, 'model' | 'access' | 'bodies'>, given: Shown): Reply => {
  const whole = recordText(resource, given)
  if (whole === undefined) return noContent
  const body = given.fields === undefined ? whole : recordText(resource, given, given.fields)
  return { status: 200, headers: { 'content-type': JSON_TYPE, ...tagged(resource, given, whole) }, body }
}

const tagged = (resource: Pick<Resource, 'model' | 'access' | 'bodies'>, given: Shown, text: string) => ({
  etag: `"${entityTag(resource, given, text)}"`,
})

/** The response to a create. @param collection the path above the new record */
export const createdReply = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  given: Shown,
  collection: string,
): Reply => {
  const { model } = resource
  const location = hasOperation(model, 'read') && {
    location: `${collection}/${writeKey(model, given.record)}`,
  }
  const body = recordText(resource, given)
  if (body === undefined) return { ...noContent, headers: { ...location } }
  const headers = { 'content-type': JSON_TYPE, ...location, ...tagged(resource, given, body) }
  return { status: 201, headers, body }
}

/** The JSON of a record. `undefined` if it cannot be shown. @param fields those that it has. @default all */
export const recordText = (
  { model, bodies: { serialiser, computed } }: Pick<Resource, 'model' | 'bodies'>,
  { record, shown, members, included }: Shown,
  fields?: readonly string[],
): string | undefined => {
  const left = fields === undefined ? [] : namesOf(computed).filter((name) => !fields.includes(name))
  const text =
    shown === record
      ? serialiser.record(record, members && without(members, left), included, fields)
      : shown && textWith(without({ ...hookResultJson(model, shown, fields), ...members }, left), included)
  // Those who read the next one should hold its memory first.
  if (members === undefined && included === undefined && text !== undefined && text.length > UNCOUNTED)
    sizingOf(model).admitting(undefined)([text.length])
  return text
}

const without = (values: Values, names: readonly string[]): Values =>
  names.length === 0
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

export const noContent: Reply = Object.freeze({ status: 204, headers: Object.freeze({}), body: undefined })

/**
 * The response to a read: 304 if the client has it already.
 *
 * @param isWhole whether a HEAD request has the same JSON as GET. Otherwise it has no tag
 */
export const detailReply = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  given: Shown,
  call: Call,
  isWhole: boolean,
): Reply => {
  const reply = recordReply(resource, given)
  const { etag, ...headers } = reply.headers
  if (etag === undefined || (isHead(call) && !isWhole)) return { ...reply, headers }
  if (call.header('if-none-match') === undefined) return reply
  const sent = sentTags(call, 'if-none-match')
  const isKnown = sent !== undefined && includesTag(sent, String(etag).slice(1, -1))
  return isKnown ? { status: 304, headers: { etag }, body: undefined } : reply
}

export const JSON_TYPE = 'application/json'
const jsonHeaders = Object.freeze({ 'content-type': JSON_TYPE })

export const jsonReply = (body: string): Reply => ({ status: 200, headers: jsonHeaders, body })

/** The response to a read. @param body writes the JSON, without which HEAD has no Content-Length (RFC 9110, 9.3.2 permits that) */
export const readReply = (call: Call, body: () => string): Reply => ({
  ...{ status: 200, headers: jsonHeaders },
  body: isHead(call) ? undefined : body(),
})

/** What a request chose of a list. */
interface PageOf extends Pick<ListQuery, 'paging'> {
  readonly selection: Pick<Selection, 'limit' | 'offset'>
}

/** The JSON of a list around its records. */
export const pageShell = (
  { items, count, count_exact, next, page, page_size, page_count }: Envelope,
  { count: matching, exact, next: cursor }: Omit<Page, 'rows'>,
  { paging, selection: { limit, offset } }: PageOf,
): PageShell => {
  const isNumbered = paging !== 'cursor'
  const isCounted = count !== undefined || (page_count !== undefined && isNumbered)
  // For each page: made of entries, the object would take several times as long.
  const rest = {
    ...(count !== undefined && { [count]: matching }),
    ...(count_exact !== undefined && isCounted && { [count_exact]: exact }),
    ...(cursor !== undefined && { [next]: cursor }),
    ...(page !== undefined && isNumbered && { [page]: limit === 0 ? null : Math.floor(offset / limit) + 1 }),
    ...(page_size !== undefined && { [page_size]: limit }),
    ...(page_count !== undefined && isNumbered && { [page_count]: pageCount(matching, limit) }),
  }
  return { items, rest }
}

/** A list without records has one empty page. */
const pageCount = (count: number | null, limit: number): number | null =>
  count === null || limit === 0 ? null : Math.max(1, Math.ceil(count / limit))

export const pageTooLarge = (
  { pageBytes }: Pick<MemoryBounds, 'pageBytes'>,
  { paging }: Pick<ListQuery, 'paging'>,
): Error => {
  const remedy = paging === 'page-number' ? 'Request' : 'Set a smaller limit, or request'
  return problem('page_too_large', `The page is larger than ${pageBytes} bytes. ${remedy} fewer fields.`)
}

/** The page as JSON text. @throws HttpError 400 `page_too_large` */
export const pageText = (resource: PageTexts, given: ShownPage): string => {
  given.text ??= textOfPage(resource, given)
  return given.text
}

type PageTexts = Pick<Resource, 'model' | 'records' | 'bodies'>

const textOfPage = (
  { model, records, bodies: { serialiser, envelope } }: PageTexts,
  { page, query, shown, members, included }: ShownPage,
): string => {
  const { pageBytes } = records
  const { fields } = query
  const shell = pageShell(envelope, page, query)
  const text =
    shown === undefined
      ? serialiser.page(page.rows, shell, fields, pageBytes, members, included)
      : jsonPage(shown, hookWriting(model, fields), shell, pageBytes, included)
  if (text === undefined) throw pageTooLarge(records, query)
  return text
}
