import type { ByteSpan } from './storage/storage.ts'

/** One range of bytes: `bytes=0-99`, `bytes=100-`, `bytes=-100`. Names of units have no case (RFC 9110, 14.1). */
const single = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * Reads a Range header (RFC 9110, 14.2). What is malformed, of another unit, or asks for several ranges is ignored, as the
 * standard allows: the whole file answers it.
 *
 * @param size of the file in bytes
 * @returns `unsatisfiable` where the file has none of these bytes
 */
export const readRange = (header: string | undefined, size: number): ByteSpan | 'whole' | 'unsatisfiable' => {
  const [, first = '', last = ''] = single.exec(header ?? '') ?? []
  if (first === '') return last === '' ? 'whole' : lastBytes(Number(last), size)
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= size) return 'unsatisfiable'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

const lastBytes = (length: number, size: number): ByteSpan | 'whole' | 'unsatisfiable' => {
  if (length === 0) return 'unsatisfiable'
  // All of an empty file, which no Content-Range can say.
  if (size === 0) return 'whole'
  return { first: Math.max(0, size - length), last: size - 1 }
}
