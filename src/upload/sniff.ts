import { Buffer } from 'node:buffer'
import { shortened } from '../error/issue.ts'
import { Gathered } from '../operation/gathered.ts'
import { fileTypeOf, imageTypeOf, TELLING_BYTES } from './file-type.ts'
import { misfit } from './multipart-refusals.ts'
import type { FilePart } from './part.ts'

/** A file whose type is known. */
export interface SniffedFile {
  /** Its media type, told from its content. */
  readonly type: string
  readonly isEmpty: boolean
  /** All of its bytes, once, as they arrive, in pieces of 16 KiB at least. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Looks at the first bytes of a part and tells what it is. Nothing is kept of the rest.
 *
 * @param kind an image field takes images alone
 * @throws HttpError 422 where an image field gets something else, and what the part's stream fails with
 */
export const sniff = async (part: FilePart, kind: 'file' | 'image'): Promise<SniffedFile> => {
  const iterator = part.bytes[Symbol.asyncIterator]()
  const pieces: Uint8Array[] = []
  for (let size = 0; size < TELLING_BYTES; ) {
    const { done, value } = await iterator.next()
    if (done === true) break
    pieces.push(value)
    size += value.length
  }
  const start = Buffer.concat(pieces).subarray(0, TELLING_BYTES)
  const type = kind === 'image' ? imageTypeOf(start) : fileTypeOf(start, part.declaredType)
  if (type === undefined) throw noImage(part.name)
  return { type, isEmpty: start.length === 0, bytes: followedBy(pieces, iterator) }
}

/** A client may send single bytes, and a storage makes a write of each piece. */
const LEAST_PIECE = 16_384

async function* followedBy(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let gathered = new Gathered()
  for (const piece of first) gathered.add(piece)
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    gathered.add(next.value)
    if (gathered.size < LEAST_PIECE) continue
    yield gathered.whole()
    gathered = new Gathered()
  }
  if (gathered.size > 0) yield gathered.whole()
}

const noImage = (name: string): Error =>
  misfit(
    name,
    'invalid_format',
    `${shortened(name)} must be an image by its content: PNG, JPEG, GIF, WebP or AVIF.`,
  )
