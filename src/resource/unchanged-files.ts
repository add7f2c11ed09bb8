import { ownValue } from '../model/own-value.ts'
import type { Steps } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import type { Resource } from './resource.ts'
import { shownRow } from './shown-files.ts'

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
