/** Media type -> the extension of its files. A type that is not here is kept as bytes of no kind. */
const extensions: Readonly<Record<string, string>> = {
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
}

const noKind = 'application/octet-stream'

const types: ReadonlyMap<string, string> = new Map([
  ...Object.entries(extensions).map(([type, extension]) => [extension, type] as const),
  // Keys of ours never end so, those that another program made may.
  ['jpeg', 'image/jpeg'],
  ['tiff', 'image/tiff'],
  ['htm', 'text/html'],
])

/** The media types that a file can be kept as, bytes of no kind aside. */
export const knownTypes: readonly string[] = Object.keys(extensions)

/** The extension of a media type's files, without the dot. `bin` where the type is not known. */
export const extensionOf = (type: string): string =>
  (Object.hasOwn(extensions, type) ? extensions[type] : undefined) ?? 'bin'

/** The media type of what a key names, told from its extension alone. */
export const typeOf = (key: string): string =>
  types.get(/\.([a-z\d]+)$/i.exec(key)?.[1]?.toLowerCase() ?? '') ?? noKind
