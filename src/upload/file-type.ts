import { filetypemime, register } from 'magic-bytes.js'

/** The media types that an image field takes. SVG is none of them: it is a document that can carry scripts. */
export const imageTypes: readonly string[] = Object.freeze([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
])

/** So many bytes of a file's beginning tell its type. */
export const TELLING_BYTES = 4200

/** Bytes of no kind. */
export const NO_TYPE = 'application/octet-stream'

const animatedAvif = [...'ftypavis'].map((letter) => `0x${letter.charCodeAt(0).toString(16)}`)
register('avif', animatedAvif, { mime: 'image/avif', extension: 'avif' }, 4)

/** The image that bytes begin, told from them alone. `undefined`: none that an image field takes. */
export const imageTypeOf = (start: Uint8Array): string | undefined =>
  filetypemime(start).find((type) => imageTypes.includes(type))

/** Pictures, sound and video begin with a signature: a client that claims one without it is wrong. */
const hasSignature = /^(image|audio|video)\//

const isType = /^[a-z\d][a-z\d!#$&^_.+-]*\/[a-z\d][a-z\d!#$&^_.+-]*$/

/**
 * The media type of a file, told from the bytes that it begins with. What the client declares counts only where they say
 * nothing (text has no signature), or leave a choice (a ZIP may be a document of an office program).
 *
 * @param declared in lower case, without parameters
 */
export const fileTypeOf = (start: Uint8Array, declared?: string): string => {
  const found = filetypemime(start)
  const [first] = found
  const claimed = declared !== undefined && isType.test(declared) ? declared : undefined
  if (first === undefined) return claimed === undefined || hasSignature.test(claimed) ? NO_TYPE : claimed
  if (claimed !== undefined && found.includes(claimed)) return claimed
  return imageTypeOf(start) ?? first
}
