import { isPromise } from '../model/awaitable.ts'
import { ownValue } from '../model/own-value.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import type { ShownPage } from './listed.ts'
import { type ModelMedia, withUrls } from './media.ts'
import type { Resource } from './resource.ts'
import type { Written } from './write.ts'

/** Records as a reply shows them: with the URLs of their files. */
export function* shownRows({ media }: Resource, rows: readonly Row[]): Steps<readonly Row[]> {
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
