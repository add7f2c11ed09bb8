import { writeKey } from '../../model/kinds/index.ts'
import type { Model } from '../../model/model.ts'
import { type Awaitable, isPromise, ownValue } from '../../model/objects.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { Row } from '../../source/source.ts'
import { addressPath, lastName, signedQuery, validityAt } from '../../upload/media.ts'
import { StorageError } from '../../upload/storage.ts'
import type { ModelMedia } from '../parts/files.ts'
import type { Resource, ShownRecords } from '../parts/resource.ts'
import type { Shown } from './replies.ts'

/** The record for a response: URLs of files replace their keys. */
export function* shownRow(resource: Pick<Resource, 'model' | 'bodies'>, row: Row): Steps<Row> {
  if (resource.bodies.media === undefined) return row
  const [shown = row] = yield* shownRows(resource.model, resource.bodies.media, [row])
  return shown
}

function* shownRows(model: Model, media: ModelMedia, rows: readonly Row[]): Steps<readonly Row[]> {
  const files = rows.flatMap((row, at) =>
    media.fields.flatMap(({ name }) => {
      const key = ownValue(row, name)
      return typeof key === 'string' ? [{ at, name, url: urlOf(model, media, row, name, key) }] : []
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
  model: Model,
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

export function* shownWithUrls<Some extends Shown>(
  resource: Pick<Resource, 'model' | 'bodies'>,
  given: Some,
): Steps<Some> {
  const { media } = resource.bodies
  if (media === undefined || given.shown === undefined) return given
  const stored = given.record
  const record = yield* shownRow(resource, stored)
  const shown = given.shown === stored ? record : hookResultWithUrls(media, [stored], [record])(given.shown)
  return { ...given, stored, record, shown }
}

export function* shownPage<Some extends ShownRecords>(
  resource: Pick<Resource, 'model' | 'bodies'>,
  given: Some,
): Steps<Some> {
  const { media } = resource.bodies
  if (media === undefined) return given
  const { page, shown } = given
  const rows = yield* shownRows(resource.model, media, page.rows)
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
