import { type Awaitable, isPromise } from '../model/awaitable.ts'
import { fileFieldsOf } from '../model/file-fields.ts'
import { type Field, isReadable, type Model } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'
import type { Row } from '../source/source.ts'
import { addressPath, type FileAddress, lastName } from '../upload/media/file-address.ts'
import { type ShownSignature, signedQuery, signedUntil, validityAt } from '../upload/media/signature.ts'
import type { FileStorage } from '../upload/storage/storage.ts'
import { StorageError } from '../upload/storage/storage-error.ts'
import type { Around } from './around.ts'
import { writeKey } from './key.ts'

/** How the files of one model are shown and served. */
export interface ModelMedia {
  readonly storage: FileStorage
  /** The fields whose files callers can read. Never empty. */
  readonly fields: readonly Field[]
  /** Everybody may read all of them. */
  readonly isOpen: boolean
  /** Where a reply says that the file is which a record holds: the storage's own URL where it serves files itself. */
  readonly urlOf: (row: Row, field: Field, key: string) => Awaitable<string>
  /** Until when a signature lets anybody read a file. */
  readonly signedUntil: (address: FileAddress, shown: ShownSignature) => Date | undefined
}

/** `undefined`: callers read no files of this model. */
export const modelMediaOf = (model: Model, around: Around): ModelMedia | undefined => {
  const { media, files } = around
  const fields = fileFieldsOf(model).filter(isReadable)
  if (media === undefined || files === undefined || fields.length === 0) return undefined
  const { storage } = files
  const { url, secret, seconds } = media
  const isOpen = around.access.read === 'public' && around.controller?.hooks.scope === undefined
  const ownUrl = (row: Row, field: Field, key: string): string => {
    const address = { model: model.path, id: writeKey(model, row), field: field.name, name: lastName(key) }
    const plain = url + addressPath(address)
    if (secret === undefined || isOpen) return plain
    return `${plain}?${signedQuery(address, secret, validityAt(Date.now(), seconds).until)}`
  }
  return {
    storage,
    fields,
    isOpen,
    urlOf: (row, field, key) => {
      if (storage.signedUrl === undefined) return ownUrl(row, field, key)
      return storage.signedUrl(key, validityAt(Date.now(), seconds)).catch((error: unknown) => {
        // What is shown may be committed already: it is served by us then, or refused.
        if (error instanceof StorageError) return ownUrl(row, field, key)
        throw error
      })
    },
    signedUntil: (address, shown) => (secret === undefined ? undefined : signedUntil(address, secret, shown)),
  }
}

/** A record with the URLs of its files in the place of their keys. */
export const withUrls = ({ fields, urlOf }: ModelMedia, row: Row): Awaitable<Row> => {
  const shown = fields.flatMap((field): (readonly [string, Awaitable<string>])[] => {
    const key = ownValue(row, field.name)
    return typeof key === 'string' ? [[field.name, urlOf(row, field, key)]] : []
  })
  if (shown.length === 0) return row
  if (!shown.some(([, url]) => isPromise(url))) return { ...row, ...Object.fromEntries(shown) }
  return Promise.all(shown.map(async ([name, url]) => [name, await url] as const)).then((urls) => ({
    ...row,
    ...Object.fromEntries(urls),
  }))
}
