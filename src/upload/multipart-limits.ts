import { type HttpError, type Issue, pointerTo, problem } from '../error/errors.ts'
import type { ResolvedSettingsOf } from '../error/settings.ts'

/** Settings of `multipart/form-data` bodies. */
export const multipartSettings = {
  /** The most bytes of an uploaded file. @default 52428800 */
  UPLOAD_FILE_LIMIT: { type: 'integer', default: 52_428_800 },
  /** The most bytes of a multipart body, its files included. @default 104857600 */
  UPLOAD_BODY_LIMIT: { type: 'integer', default: 104_857_600 },
  /** The most bytes of the text parts of a multipart body together. @default 1048576 */
  UPLOAD_TEXT_LIMIT: { type: 'integer', default: 1_048_576 },
  /** The most files in a multipart body. @default 10 */
  UPLOAD_MAX_FILES: { type: 'integer', default: 10 },
  /** The most text parts in a multipart body. @default 200 */
  UPLOAD_MAX_FIELDS: { type: 'integer', default: 200 },
  /** The most characters of a part's name, and of a file's. @default 255 */
  UPLOAD_NAME_LENGTH: { type: 'integer', default: 255 },
  /** The most bytes of the head of a part, up to 1048576. @default 8192 */
  UPLOAD_HEADER_LIMIT: { type: 'integer', default: 8192, most: 1_048_576 },
  /** The most lines in the head of a part. @default 20 */
  UPLOAD_MAX_HEADERS: { type: 'integer', default: 20 },
  // A timer of Node takes no more.
  /** Seconds that a multipart body may pause, up to 2147483. @default 30 */
  UPLOAD_IDLE_TIMEOUT: { type: 'integer', default: 30, most: 2_147_483 },
  /** Seconds that a multipart body may take, up to 2147483. @default 300 */
  UPLOAD_TIMEOUT: { type: 'integer', default: 300, most: 2_147_483 },
} as const

/** What the settings allow a multipart body. */
export const multipartBounds = (settings: ResolvedSettingsOf<typeof multipartSettings>): MultipartBounds => ({
  limits: {
    fileBytes: settings.UPLOAD_FILE_LIMIT,
    files: settings.UPLOAD_MAX_FILES,
    textBytes: settings.UPLOAD_TEXT_LIMIT,
    fields: settings.UPLOAD_MAX_FIELDS,
    headerBytes: settings.UPLOAD_HEADER_LIMIT,
    headerPairs: settings.UPLOAD_MAX_HEADERS,
    nameLength: settings.UPLOAD_NAME_LENGTH,
    totalBytes: settings.UPLOAD_BODY_LIMIT,
  },
  times: { idle: settings.UPLOAD_IDLE_TIMEOUT * 1000, total: settings.UPLOAD_TIMEOUT * 1000 },
})

/** How much a multipart body may hold. Sizes in bytes. */
export interface MultipartLimits {
  /** Of one file. */
  readonly fileBytes: number
  readonly files: number
  /** Of one text part, and of all text parts together. */
  readonly textBytes: number
  /** Text parts. */
  readonly fields: number
  /** Of the head of one part. */
  readonly headerBytes: number
  /** Lines in the head of one part. */
  readonly headerPairs: number
  /** Characters of a part's name, and of a file's. */
  readonly nameLength: number
  /** Of the whole body. */
  readonly totalBytes: number
}

/** How long a multipart body may take, in milliseconds. */
export interface MultipartTimes {
  /** Without a single byte. The time that the storage takes does not count. */
  readonly idle: number
  /** From the first byte that is asked for to the last. */
  readonly total: number
}

/** What a multipart body is held to. */
export interface MultipartBounds {
  readonly limits: MultipartLimits
  readonly times: MultipartTimes
}

/** The refusal of a body that is no multipart: 400. */
export const malformed = (detail: string, cause?: unknown): HttpError =>
  problem('malformed_multipart', `The multipart body cannot be read. ${detail}`, { cause })

/** The refusal of more than a limit allows: 413. */
export const tooLarge = (detail: string, name?: string): HttpError =>
  problem('body_too_large', detail, {
    errors: name === undefined ? [] : [{ pointer: pointerTo([name]), code: 'body_too_large', detail }],
  })

/** The refusal of a part whose name or content does not fit: 422. @param place its name, or the path to what is wrong in it */
export const invalidPart = (
  place: string | readonly (string | number)[],
  code: Issue['code'],
  detail: string,
): HttpError =>
  problem('invalid_body', `The body does not fit the schema. ${detail}`, {
    errors: [{ pointer: pointerTo([place].flat()), code, detail }],
  })

/** The refusal of a body that takes too long: 408. */
export const tooSlow = (detail: string): HttpError => problem('request_timeout', detail)
