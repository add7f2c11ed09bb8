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
  /** By the names of their fields. */
  readonly files: ReadonlyMap<string, UploadedFile>
  /** Puts the file of a part while it arrives. @throws HttpError 422, StorageError, and what the part fails with */
  put(part: FilePart, field: Field): Promise<UploadedFile>
  /** A record holds these keys: their files stay. */
  keep(keys: Iterable<string>): void
  /** Deletes all files that nobody keeps. It never fails: what cannot be deleted is logged. */
  drop(): Promise<void>
}

export const uploadsTo = (storage: FileStorage, model: Model, log: Log): Uploads => {
  const files = new Map<string, UploadedFile>()
  const loose = new Set<string>()
  return {
    files,
    put: async (part, field) => {
      const { type, bytes, isEmpty } = await sniff(part, kinds[field.kind].upload ?? 'file')
      if (isEmpty) throw invalidPart(part.name, 'too_short', `${shortened(part.name)} is an empty file.`)
      const key = storageKey({ model: model.name, field: field.name, type })
      // Before it is there: of a storage that fails nobody knows what it has kept.
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
  /** All of its bytes, once, as they arrive, in pieces of 16 KiB at least. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Looks at the first bytes of a part and tells what it is. @throws HttpError 422 where an image field gets something else */
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
      `${shortened(part.name)} must be an image by its content: PNG, JPEG, GIF, WebP or AVIF.`,
    )
  return { type, isEmpty: start.length === 0, bytes: followedBy(gathered, iterator) }
}

/** A client may send single bytes, and a storage makes a write of each piece. */
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

/** So many bytes of a file's beginning tell its type. */
const SNIFFED_BYTES = 4200

const animatedAvif = [...'ftypavis'].map((letter) => `0x${letter.charCodeAt(0).toString(16)}`)
register('avif', animatedAvif, { mime: 'image/avif', extension: 'avif' }, 4)

/** The image that bytes begin, told from them alone. `undefined`: none that an image field takes. */
export const imageTypeOf = (start: Uint8Array): string | undefined =>
  filetypemime(start).find((type) => imageTypes.includes(type))

/** Pictures, sound and video begin with a signature: a client that claims one without it is wrong. */
const hasSignature = /^(image|audio|video)\//

const mediaTypeForm = /^[a-z\d][a-z\d!#$&^_.+-]*\/[a-z\d][a-z\d!#$&^_.+-]*$/

/**
 * The media type of a file, told from the bytes that it begins with. What the client declares (in lower case, without
 * parameters) counts only where they say nothing, since text has no signature, and a byte order mark is only an encoding;
 * or where they leave a choice: a ZIP may be a document of an office program.
 */
export const fileTypeOf = (start: Uint8Array, declared?: string): string => {
  const found = filetypemime(start).filter((type) => mediaTypeForm.test(type))
  const [first] = found
  const claimed = declared !== undefined && mediaTypeForm.test(declared) ? declared : undefined
  if (first === undefined) return claimed === undefined || hasSignature.test(claimed) ? NO_TYPE : claimed
  if (claimed !== undefined && found.includes(claimed)) return claimed
  return imageTypeOf(start) ?? first
}
