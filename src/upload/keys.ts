import { randomBytes } from 'node:crypto'

interface KeyParts {
  readonly model: string
  readonly field: string
  /** The media type by the first bytes of the content. The client declares it only for content without a signature. */
  readonly type: string
}

/** Only lower case, because file systems may ignore case. Without the digits 0, 1, 8 and 9, as in base32. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** 26 characters of 5 bits each, which cannot be guessed. */
const randomName = (): string =>
  Array.from(randomBytes(26), (byte) => alphabet[byte % alphabet.length]).join('')

const segment = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40) || 'x'

export const folderOf = ({ model, field }: Pick<KeyParts, 'model' | 'field'>): string =>
  `${segment(model)}/${segment(field)}`

/** A new key: `order-item/photo/q4/q4c…7a.png`. The folder of two characters keeps folders on disk small. */
export const storageKey = ({ model, field, type }: KeyParts): string => {
  const name = randomName()
  return `${folderOf({ model, field })}/${name.slice(0, 2)}/${name}.${extensionOf(type)}`
}

const generatedKey = /^[a-z\d-]{1,40}\/[a-z\d-]{1,40}\/([a-z2-7]{2})\/\1[a-z2-7]{24}\.[a-z\d]{2,5}$/

/**
 * Whether the service generated this key, for your own {@link FileStorage}: `list` contains only such keys, so that files of
 * other programs never count as orphaned.
 */
export const isGeneratedFileKey = (key: string): boolean => generatedKey.test(key)

/** The folder of a key that `storageKey` created. `undefined` for other keys. */
export const folderOfKey = (key: string): string | undefined =>
  isGeneratedFileKey(key) ? key.split('/').slice(0, 2).join('/') : undefined

/** Characters that some file system refuses or interprets, including lone surrogates. */
const neverInName = /[\p{Cc}\p{Cs}\\:*?"<>|]/u

/** The maximum length of a key in bytes (the limit of S3). */
const MOST_BYTES = 1024
const MOST_BYTES_OF_NAME = 255

/**
 * Whether a key is valid, for your own {@link FileStorage}: names separated by `/`, none of which starts with a dot. It allows
 * more than the keys that the service generates, because a column may hold keys of other programs, but nothing outside of
 * the storage. `put` throws a `RangeError` for other keys, and no file has one.
 */
export const isSafeFileKey = (key: string): boolean =>
  Buffer.byteLength(key) <= MOST_BYTES &&
  key
    .split('/')
    .every(
      (name) =>
        name !== '' &&
        !name.startsWith('.') &&
        !/[. ]$/.test(name) &&
        !neverInName.test(name) &&
        Buffer.byteLength(name) <= MOST_BYTES_OF_NAME,
    )

/** @throws RangeError for an invalid key: only the server chooses keys of new files, so this is a bug */
export const assertSafeKey = (key: string): void => {
  if (!isSafeFileKey(key)) throw new RangeError(`Invalid file key ${JSON.stringify(key)}.`)
}

/** Media type -> file extension. Files of other types get `.bin` and `application/octet-stream`. */
const extensions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/heic': 'heic',
    'image/heif': 'heif',
    'image/jxl': 'jxl',
    'image/bmp': 'bmp',
    'image/tiff': 'tif',
    'image/x-icon': 'ico',
    'image/svg+xml': 'svg',
    'audio/mpeg': 'mp3',
    'audio/mp4': 'm4a',
    'audio/aac': 'aac',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg',
    'audio/opus': 'opus',
    'audio/wav': 'wav',
    'audio/midi': 'mid',
    'video/mp4': 'mp4',
    'video/webm': 'webm',
    'video/ogg': 'ogv',
    'video/quicktime': 'mov',
    'video/mpeg': 'mpg',
    'video/x-msvideo': 'avi',
    'video/x-matroska': 'mkv',
    'text/plain': 'txt',
    'text/csv': 'csv',
    'text/html': 'html',
    'text/css': 'css',
    'text/javascript': 'js',
    'application/xml': 'xml',
    'application/json': 'json',
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/zip': 'zip',
    'application/gzip': 'gz',
    'application/x-tar': 'tar',
    'application/x-bzip2': 'bz2',
    'application/x-xz': 'xz',
    'application/zstd': 'zst',
    'application/x-7z-compressed': '7z',
    'application/vnd.rar': 'rar',
    'application/epub+zip': 'epub',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/wasm': 'wasm',
    'font/woff': 'woff',
    'font/woff2': 'woff2',
    'font/ttf': 'ttf',
    'font/otf': 'otf',
  }),
)

export const NO_TYPE = 'application/octet-stream'

/** The media types that an image field accepts. SVG is missing, because it can contain scripts. */
export const imageTypes: readonly string[] = Object.freeze([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
])

const typesByExtension: ReadonlyMap<string, string> = new Map([
  ...[...extensions].map(([type, extension]) => [extension, type] as const),
  // For keys of other programs. Generated keys never end with these extensions.
  ['jpeg', 'image/jpeg'],
  ['tiff', 'image/tiff'],
  ['htm', 'text/html'],
])

/** The media types of stored files, except `application/octet-stream`. */
export const knownTypes: readonly string[] = [...extensions.keys()]

export const extensionOf = (type: string): string => extensions.get(type) ?? 'bin'

/** The media type of a file, derived only from the extension of its key: `type` for your own {@link FileStorage}. */
export const mediaTypeOf = (key: string): string =>
  typesByExtension.get(/\.([a-z\d]+)$/i.exec(key)?.[1]?.toLowerCase() ?? '') ?? NO_TYPE
