import { isPromise, ownValue } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { type Row, SourceError } from '../source/source.ts'
import { isGeneratedKey } from '../upload/keys.ts'
import { deleteFiles } from '../upload/storage.ts'
import type { Uploads } from '../upload/uploads.ts'
import type { ShownPage } from './page.ts'
import type { Write, Written } from './record.ts'
import { type ModelMedia, type Resource, withUrls } from './resource.ts'

/** Records as a reply shows them: with the URLs of their files. */
function* shownRows({ media }: Resource, rows: readonly Row[]): Steps<readonly Row[]> {
  if (media === undefined) return rows
  const shown = rows.map((row) => withUrls(media, row))
  return shown.some(isPromise) ? yield* waitInAnyMode(Promise.all(shown)) : (shown as readonly Row[])
}

/** A record as a reply shows it. */
export function* shownRow(resource: Resource, row: Row): Steps<Row> {
  if (resource.media === undefined) return row
  const [shown = row] = yield* shownRows(resource, [row])
  return shown
}

/** What was written, as a reply shows it. */
export function* shownWritten(resource: Resource, written: Written): Steps<Written> {
  const { media } = resource
  if (media === undefined || written.shown === undefined) return written
  const record = yield* shownRow(resource, written.record)
  if (written.shown === written.record) return { record, shown: record }
  return { record, shown: givenWithUrls(media, [written.record], [record])(written.shown) }
}

/** A page as a reply shows it. */
export function* shownFiles(resource: Resource, shownPage: ShownPage): Steps<ShownPage> {
  const { media } = resource
  if (media === undefined) return shownPage
  const { page, shown } = shownPage
  const rows = yield* shownRows(resource, page.rows)
  const withRows = { ...shownPage, page: { ...page, rows } }
  return shown === undefined
    ? withRows
    : { ...withRows, shown: shown.map(givenWithUrls(media, page.rows, rows)) }
}

/** What a hook gave in place of records: the keys that it took over from them become their URLs. */
const givenWithUrls = (
  { fields }: ModelMedia,
  stored: readonly Row[],
  shown: readonly Row[],
): ((given: object) => object) => {
  const urls = new Map(
    fields.map(({ name }) => [
      name,
      new Map(stored.map((row, at) => [ownValue(row, name), ownValue(shown[at], name)])),
    ]),
  )
  return (given) => {
    const record = given as Row
    const changed = fields.filter(
      ({ name }) => typeof ownValue(record, name) === 'string' && urls.get(name)?.has(ownValue(record, name)),
    )
    if (changed.length === 0) return given
    return {
      ...given,
      ...Object.fromEntries(changed.map(({ name }) => [name, urls.get(name)?.get(ownValue(record, name))])),
    }
  }
}

/** Whether a change may leave files that the record held before. */
export const leavesFiles = ({ files }: Resource, { event, values }: Write): boolean =>
  event !== 'create' &&
  files !== undefined &&
  files.fields.some(({ name }) => event === 'delete' || ownValue(values, name) !== undefined)

/** The keys of the files that a record holds. */
const keysIn = ({ files }: Resource, row: Row = {}): readonly string[] =>
  (files?.fields ?? []).flatMap(({ name }) => {
    const key = ownValue(row, name)
    return typeof key === 'string' ? [key] : []
  })

/**
 * Behind the reply of a write that is committed: deletes the files that the record holds no more, and those of the request
 * that it never did, as a hook put something else in their place.
 */
export const afterWrite = (
  resource: Resource,
  call: Call,
  write: Write,
  { record, before }: Written,
): void => {
  const { files, around } = resource
  if (files === undefined) return
  const { uploads, event } = write
  const held = new Set(event === 'delete' ? [] : keysIn(resource, record))
  uploads?.keep(held)
  // What another program has put there is not ours to delete: several records may share it.
  const stale = keysIn(resource, event === 'delete' ? record : before).filter(
    (key) => !held.has(key) && isGeneratedKey(key),
  )
  if (stale.length === 0 && uploads === undefined) return
  around.commits.follow(async () => {
    await uploads?.drop()
    await deleteFiles(files.storage, stale, call.log)
  })
}

/**
 * A commit may fail after the database has done it: the connection broke before it could say so. Files that a record holds
 * now, or may hold, must stay.
 */
export function* keepIfStored(
  { store }: Resource,
  call: Call,
  uploads: Uploads,
  thrown: unknown,
): Steps<void> {
  const [first] = uploads.files
  if (first === undefined) return
  const [field, { key }] = first
  const keys = [...uploads.files.values()].map((file) => file.key)
  const keepAll = (error: unknown): void => {
    uploads.keep(keys)
    call.log.error(`It is not known whether a record holds ${keys.join(', ')}: the files stay.`, error)
  }
  // The database may still be doing it: who asks now may ask too early.
  if (thrown instanceof SourceError && thrown.kind === 'lost') return keepAll(thrown)
  try {
    const stored = yield* wait(store.count({ op: 'eq', field, value: key }, everything, 1))
    if (stored > 0) uploads.keep(keys)
  } catch (error) {
    keepAll(error)
  }
}

/** Values without the files that the record holds anyway: a hook may give back the keys that it got with the record. */
export const withoutHeldFiles = ({ files }: Resource, values: object, found: Row | undefined): object => {
  const held = (files?.fields ?? []).filter(({ name }) => {
    const value: unknown = Reflect.get(values, name)
    return typeof value === 'string' && value === ownValue(found, name)
  })
  if (held.length === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([key]) => !held.some(({ name }) => name === key)))
}

/**
 * A JSON body without the files that are as they were: what a reply said of a record can be sent back. A signature, which
 * changes with time, counts for nothing.
 *
 * @param stored the record as it is now, asked for where the body names a file
 */
export function* withoutUnchangedFiles(
  resource: Resource,
  body: unknown,
  stored: () => Steps<Row>,
): Steps<unknown> {
  const { media } = resource
  if (media === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const sent = media.fields.filter(({ name }) => typeof Reflect.get(body, name) === 'string')
  if (sent.length === 0) return body
  const shown = yield* shownRow(resource, yield* stored())
  const same = sent.filter(({ name }) => isSame(Reflect.get(body, name), ownValue(shown, name)))
  return Object.fromEntries(Object.entries(body).filter(([key]) => !same.some(({ name }) => name === key)))
}

const isSame = (sent: unknown, url: unknown): boolean =>
  typeof sent === 'string' && typeof url === 'string' && plain(sent) === plain(url)

const plain = (url: string): string => url.replace(/[?#].*$/s, '')
