import type { ResolvedSettingsOf } from '../error/settings.ts'

/** Settings of `multipart/form-data` bodies. */
export const multipartSettings = {
  /** The maximum size of an uploaded file in bytes. @default 52428800 */
  UPLOAD_FILE_LIMIT: { type: 'integer', default: 52_428_800 },
  /** The maximum size of a multipart body in bytes, including its files. @default 104857600 */
  UPLOAD_BODY_LIMIT: { type: 'integer', default: 104_857_600 },
  /** The maximum total size of the text parts of a multipart body in bytes. @default 1048576 */
  UPLOAD_TEXT_LIMIT: { type: 'integer', default: 1_048_576 },
  /** The maximum number of files in a multipart body. @default 10 */
  UPLOAD_MAX_FILES: { type: 'integer', default: 10 },
  /** The maximum number of text parts in a multipart body. @default 200 */
  UPLOAD_MAX_FIELDS: { type: 'integer', default: 200 },
  /** The maximum length of the name of a part, and of a file name, in characters. @default 255 */
  UPLOAD_NAME_LENGTH: { type: 'integer', default: 255 },
  /** The maximum size of the headers of a part in bytes, up to 1048576. @default 8192 */
  UPLOAD_HEADER_LIMIT: { type: 'integer', default: 8192, most: 1_048_576 },
  /** The maximum number of headers of a part. @default 20 */
  UPLOAD_MAX_HEADERS: { type: 'integer', default: 20 },
  // The limit of timers in Node.
  /** The longest pause in a multipart body in seconds, up to 2147483. @default 30 */
  UPLOAD_IDLE_TIMEOUT: { type: 'integer', default: 30, most: 2_147_483 },
  /** The time limit for receiving a multipart body in seconds, up to 2147483. @default 300 */
  UPLOAD_TIMEOUT: { type: 'integer', default: 300, most: 2_147_483 },
} as const

/** The limits of multipart bodies: the settings with their defaults applied. */
export type MultipartLimits = ResolvedSettingsOf<typeof multipartSettings>
