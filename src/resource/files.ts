import { isRecord } from '../error/record.ts'
import { writeKey } from '../model/kinds/index.ts'
import { type Awaitable, isPromise, ownValue } from '../model/objects.ts'
import { withUnfinished } from '../model/soft-deletion.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { type Row, SourceError } from '../source/source.ts'
import { isGeneratedFileKey } from '../upload/keys.ts'
import { addressPath, lastName, signedQuery, validityAt } from '../upload/media.ts'
import { deleteFiles, StorageError } from '../upload/storage.ts'
import type { Uploads } from '../upload/uploads.ts'
import { heldKeys, keysIn } from './held-files.ts'
import type { ModelFiles, ModelMedia } from './model-files.ts'
import type { Write, Written } from './record.ts'
import type { Resource, ShownPage } from './resource.ts'

/** The record for a response: URLs of files replace their keys. */
export function* shownRow(resource: Resource, row: Row): Steps<Row> {
  if (resource.media === undefined) return row
  const [shown = row] = yield* shownRows(resource, resource.media, [row])
  return shown
}

function* shownRows(resource: Resource, media: ModelMedia, rows: readonly Row[]): Steps<readonly Row[]> {
  const files = rows.flatMap((row, at) =>
    media.fields.flatMap(({ name }) => {
      const key = ownValue(row, name)
      return typeof key === 'string' ? [{ at, name, url: urlOf(resource, media, row, name, key) }] : []
    }),
  )
  const given = files.map(({ url }) => url)
  const urls = given.some(isPromise) ? yield* waitInAnyMode(Promise.all(given)) : given
  const shown = [...rows]
  for (const [place, { at, name }] of files.entries()) shown[at] = { ...shown[at], [name]: urls[place] }
  return shown
}

/** The URL that responses show for a file: that of the storage if the storage serves files itself. */
const urlOf = (
  { model }: Resource,
  { storage, url, secret, seconds, isOpen }: ModelMedia,
  row: Row,
  field: string,
  key: string,
): Awaitable<string> => {
  const ownUrl = (): string => {
    const address = { model: model.path, id: writeKey(model, row), field, name: lastName(key) }
    const plainUrl = url + addressPath(address)
    if (secret === undefined || isOpen) return plainUrl
    return `${plainUrl}?${signedQuery(address, secret, validityAt(Date.now(), seconds).until)}`
  }
  if (storage.signedUrl === undefined) return ownUrl()
  return storage.signedUrl(key, validityAt(Date.now(), seconds)).catch((error: unknown) => {
    // The record may be committed already, so the URL of the API replaces that of the storage.
    if (error instanceof StorageError) return ownUrl()
    throw error
  })
}

export function* shownWritten(resource: Resource, written: Written): Steps<Written> {
  const { media } = resource
  if (media === undefined || written.shown === undefined) return written
  const stored = written.record
  const record = yield* shownRow(resource, stored)
  if (written.shown === stored) return { ...written, stored, record, shown: record }
  return {
    ...written,
    stored,
    record,
    shown: hookResultWithUrls(media, [written.record], [record])(written.shown),
  }
}

export function* shownPage(resource: Resource, given: ShownPage): Steps<ShownPage> {
  const { media } = resource
  if (media === undefined) return given
  const { page, shown } = given
  const rows = yield* shownRows(resource, media, page.rows)
  const withRows = { ...given, page: { ...page, rows } }
  return shown === undefined
    ? withRows
    : { ...withRows, shown: shown.map(hookResultWithUrls(media, page.rows, rows)) }
}

/** Replaces the keys that a hook copied from records into its result by their URLs. */
const hookResultWithUrls = (
  { fields }: ModelMedia,
  stored: readonly Row[],
  shown: readonly Row[],
): ((given: object) => object) => {
  const urls = fields.map(({ name }) => ({
    name,
    byKey: new Map(stored.map((row, at) => [ownValue(row, name), ownValue(shown[at], name)])),
  }))
  return (given) => {
    const changed = urls.flatMap(({ name, byKey }) => {
      const key = ownValue(given as Row, name)
      return typeof key === 'string' && byKey.has(key) ? [[name, byKey.get(key)] as const] : []
    })
    return changed.length === 0 ? given : { ...given, ...Object.fromEntries(changed) }
  }
}

export const changesFiles = ({ fields }: ModelFiles, { values }: Write): boolean =>
  fields.some(({ name }) => ownValue(values, name) !== undefined)

/** A write of a record that may have files. */
interface Holding {
  readonly files: ModelFiles
  readonly write: Write
  readonly written: Written
}

/**
 * Runs after the commit and response: deletes files that no record holds any more, and uploads that a hook left out. The
 * application may have given the file of a record to others.
 */
export const afterWrites = ({ commits }: Resource, writes: readonly Holding[], { log }: Call): void => {
  const [first] = writes
  const lost = [...new Set(writes.flatMap(lostKeys))]
  if (first === undefined || lost.length === 0) return
  const { storage, columns } = first.files
  commits.follow(async () => {
    let held: ReadonlySet<string>
    try {
      held = await heldKeys(columns, lost)
    } catch (error) {
      log.error(
        `Could not check whether records still refer to these files. Run \`modelrest files clean\` to delete those that are unused: ${lost.join(', ')}.`,
        error,
      )
      return
    }
    await deleteFiles(
      storage,
      lost.filter((key) => !held.has(key)),
      log,
    )
  })
}

/** The files that a record no longer holds, and the uploads that it does not hold. The uploads are no longer dropped elsewhere. */
const lostKeys = ({ files, write, written }: Holding): readonly string[] => {
  const fields = files.fields.map(({ name }) => name)
  const { uploads, event } = write
  const { record, before = {} } = written
  const held = new Set(event === 'delete' ? [] : keysIn(record, fields))
  const uploaded = [...(uploads?.files.values() ?? [])].map(({ key }) => key)
  uploads?.keep(uploaded)
  // Keeps files that other programs wrote, because those may still use them.
  const earlier = keysIn(event === 'delete' ? record : before, fields).filter(isGeneratedFileKey)
  return [...uploaded, ...earlier].filter((key) => !held.has(key))
}

/** A commit that failed may still have succeeded in the database, so files that a record may hold are kept. */
export function* keepIfStored(
  { source, model }: Resource,
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
    call.log.error(`The outcome of a write is unknown, so its files are kept: ${keys.join(', ')}.`, error)
  }
  // The database may still be committing, so a query now could be too early.
  if (thrown instanceof SourceError && thrown.kind === 'lost') return keepAll(thrown)
  try {
    const store = source.store(withUnfinished(model))
    const stored = yield* wait(store.count({ op: 'eq', field, value: key }, everything, 1))
    if (stored > 0) uploads.keep(keys)
  } catch (error) {
    keepAll(error)
  }
}

/** Removes unchanged file keys from `values`, because a hook may return the keys of the record that it received. */
export const withoutHeldFiles = ({ fields }: ModelFiles, values: object, found: Row | undefined): object => {
  const held = fields.filter(({ name }) => {
    const value: unknown = Reflect.get(values, name)
    return typeof value === 'string' && value === ownValue(found, name)
  })
  return held.length === 0 ? values : without(values, held)
}

/**
 * Removes unchanged files from a JSON body, so that clients can send back the URLs of a response. Ignores signatures.
 */
export function* withoutUnchangedFiles(
  resource: Resource,
  media: ModelMedia,
  body: unknown,
  stored: () => Steps<Row>,
): Steps<unknown> {
  if (!isRecord(body)) return body
  const sent = media.fields.filter(({ name }) => typeof Reflect.get(body, name) === 'string')
  if (sent.length === 0) return body
  const shown = yield* shownRow(resource, yield* stored())
  const same = sent.filter(({ name }) => isSame(Reflect.get(body, name), ownValue(shown, name)))
  return without(body, same)
}

const isSame = (sent: unknown, url: unknown): boolean =>
  typeof sent === 'string' && typeof url === 'string' && plain(sent) === plain(url)

const plain = (url: string): string => url.replace(/[?#].*$/s, '')

export const without = (values: object, fields: readonly { readonly name: string }[]): object =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !fields.some(({ name }) => name === key)))
