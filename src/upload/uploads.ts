import { filetypemime, register } from 'magic-bytes.js'
import { shortened } from '../error/errors.ts'
import { type UploadedFile, uploadedFile } from '../model/kinds/binary.ts'
import { kinds } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import type { Log } from '../observe/log.ts'
import { Gathered } from '../operation/body.ts'
import { imageTypes, NO_TYPE, storageKey } from './keys.ts'
import type { FilePart } from './multipart.ts'
import { invalidPart } from './multipart-grammar.ts'
import { deleteFiles, type FileStorage } from './storage.ts'

export interface Uploads {
  /** The uploaded files by field name. */
  readonly files: ReadonlyMap<string, UploadedFile>
  /** Stores the file of a part while it arrives. @throws HttpError 422, StorageError, and errors of the part */
  put(part: FilePart, field: Field): Promise<UploadedFile>
  /** Keeps the files with these keys, because a record holds them. */
  keep(keys: Iterable<string>): void
  /** Deletes all files that are not kept. It never fails: a file that cannot be deleted is logged. */
  drop(): Promise<void>
}

export const uploadsTo = (storage: FileStorage, model: Model, log: Log): Uploads => {
  const files = new Map<string, UploadedFile>()
  const loose = new Set<string>()
  return {
    files,
    put: async (part, field) => {
      const { type, bytes, isEmpty } = await sniff(part, kinds[field.kind].upload ?? 'file')
      if (isEmpty)
        throw invalidPart(part.name, 'too_short', `${shortened(part.name)} must not be an empty file.`)
      const key = storageKey({ model: model.name, field: field.name, type })
      // Registered before it is stored, because a failing storage may have stored it.
      loose.add(key)
      const size = await storage.put(key, bytes)
      const file = uploadedFile({ key, name: part.fileName ?? '', type, size })
      files.set(field.name, file)
      return file
    },
    keep: (keys) => {
      for (const key of keys) loose.delete(key)
    },
    drop: async () => {
      const keys = [...loose]
      loose.clear()
      await deleteFiles(storage, keys, log)
    },
  }
}

interface SniffedFile {
  readonly type: string
  readonly isEmpty: boolean
  /** All bytes, which can be read once, in chunks of at least 16 KiB. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Detects the type of a part from its first bytes. @throws HttpError 422 if an image field gets something else */
export const sniff = async (part: FilePart, kind: 'file' | 'image'): Promise<SniffedFile> => {
  const iterator = part.bytes[Symbol.asyncIterator]()
  const gathered = new Gathered()
  while (gathered.size < SNIFFED_BYTES) {
    const { done, value } = await iterator.next()
    if (done === true) break
    gathered.add(value)
  }
  const start = gathered.whole().subarray(0, SNIFFED_BYTES)
  const type = kind === 'image' ? imageTypeOf(start) : fileTypeOf(start, part.declaredType)
  if (type === undefined)
    throw invalidPart(
      part.name,
      'invalid_format',
      `${shortened(part.name)} must be a PNG, JPEG, GIF, WebP or AVIF image.`,
    )
  return { type, isEmpty: start.length === 0, bytes: followedBy(gathered, iterator) }
}

/** A client may send single bytes, and a storage writes each chunk separately. */
const LEAST_PIECE = 16_384

async function* followedBy(first: Gathered, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered = first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    gathered.add(next.value)
    if (gathered.size < LEAST_PIECE) continue
    yield gathered.whole()
    gathered = new Gathered()
  }
  if (gathered.size > 0) yield gathered.whole()
}

/** The number of first bytes that reveal the type of a file. */
const SNIFFED_BYTES = 4200

const animatedAvif = [...'ftypavis'].map((character) => `0x${character.charCodeAt(0).toString(16)}`)
register('avif', animatedAvif, { mime: 'image/avif', extension: 'avif' }, 4)

/** The media type of an image, detected from its first bytes. `undefined` if an image field does not accept it. */
export const imageTypeOf = (start: Uint8Array): string | undefined =>
  filetypemime(start).find((type) => imageTypes.includes(type))

/** Images, audio and video start with a signature, so a declared type without it is wrong. */
const hasSignature = /^(image|audio|video)\//

const mediaTypeForm = /^[a-z\d][a-z\d!#$&^_.+-]*\/[a-z\d][a-z\d!#$&^_.+-]*$/

/**
 * The media type of a file, detected from its first bytes. The declared type (in lower case, without parameters) counts
 * only if the bytes have no signature, such as text or a byte order mark, or if they are ambiguous: a ZIP may be an office
 * document.
 */
export const fileTypeOf = (start: Uint8Array, declared?: string): string => {
  const found = filetypemime(start).filter((type) => mediaTypeForm.test(type))
  const [first] = found
  const claimed = declared !== undefined && mediaTypeForm.test(declared) ? declared : undefined
  if (first === undefined) return claimed === undefined || hasSignature.test(claimed) ? NO_TYPE : claimed
  if (claimed !== undefined && found.includes(claimed)) return claimed
  return imageTypeOf(start) ?? first
}
