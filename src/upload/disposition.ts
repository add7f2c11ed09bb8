import { NO_TYPE } from './file-type.ts'

/**
 * Media types that a browser shows in its window: pictures of pixels, sound, video and plain text. In none of them can
 * anything run. Every other is saved to the disk instead: HTML, SVG, XML, scripts and PDF, whose viewers run scripts and
 * follow links, and what nobody has thought of.
 */
const shown: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/heic', 'image/heif'],
  ...['image/jxl', 'image/bmp', 'image/tiff', 'image/x-icon'],
  ...['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/flac', 'audio/ogg', 'audio/opus', 'audio/wav'],
  ...['audio/midi', 'video/mp4', 'video/webm', 'video/ogg', 'video/quicktime', 'video/mpeg'],
  ...['video/x-msvideo', 'video/x-matroska', 'text/plain'],
])

/** How a browser may use a file of this media type (in lower case, without parameters): show it, or save it. */
export const dispositionOf = (type: string): 'inline' | 'attachment' =>
  shown.has(type) ? 'inline' : 'attachment'

/** The last name of a key. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** What a quoted string of a header holds as it is (RFC 9110, 5.6.4), without the percent sign that some decode. */
const notPlain = /[^\x20-\x7e]|["\\%]/g

/** RFC 8187: every byte that is no letter of an attribute, percent-encoded. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/**
 * The value of Content-Disposition for the file of a key (RFC 6266): `attachment; filename="q4…7a.html"`. A name with
 * other letters than ASCII's, which another program wrote, stands there twice.
 */
export const contentDisposition = (key: string, type: string): string => {
  const name = nameOf(key)
  const plain = name.replaceAll(notPlain, '_')
  const both = plain === name ? '' : `; filename*=UTF-8''${encoded(name)}`
  return `${dispositionOf(type)}; filename="${plain}"${both}`
}

/**
 * Media types that another page of the same origin can run or apply, even if the file is an attachment: a policy of
 * `script-src 'self'` allows `<script src>` to an uploaded script.
 */
const active = /[/+](?:html|xml|xsl|css|wasm)$|script|flash|^(?:multipart|message)\//

/** The Content-Type of a file: bytes without a type for active content, otherwise the media type with its charset. */
export const contentType = (type: string): string => {
  if (active.test(type)) return NO_TYPE
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** Shows a picture, sound or video that stands in a window of its own, and nothing else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** The headers that say what a file is and keep a browser from running it. */
export const fileHeaders = (key: string, type: string): Readonly<Record<string, string>> => ({
  'content-type': contentType(type),
  'content-disposition': contentDisposition(key, type),
  'x-content-type-options': 'nosniff',
  'content-security-policy': CONTENT_SECURITY_POLICY,
})
