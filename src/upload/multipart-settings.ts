import { MOST_SECONDS, type SettingRow } from '../error/setting.ts'

/** Settings of `multipart/form-data` bodies. */
export interface MultipartSettings {
  /** The most bytes of an uploaded file. @default 52428800 */
  readonly UPLOAD_FILE_LIMIT?: number
  /** The most bytes of a multipart body. @default 104857600 */
  readonly UPLOAD_BODY_LIMIT?: number
  /** The most bytes of the text parts of a multipart body together. @default 1048576 */
  readonly UPLOAD_TEXT_LIMIT?: number
  /** The most files in a multipart body. @default 10 */
  readonly UPLOAD_MAX_FILES?: number
  /** The most text parts in a multipart body. @default 200 */
  readonly UPLOAD_MAX_FIELDS?: number
  /** The most characters of a part's name, and of a file's. @default 255 */
  readonly UPLOAD_NAME_LENGTH?: number
  /** The most bytes of the head of a part. @default 8192 */
  readonly UPLOAD_HEADER_LIMIT?: number
  /** The most lines in the head of a part. @default 20 */
  readonly UPLOAD_MAX_HEADERS?: number
  /** Seconds that a multipart body may pause. @default 30 */
  readonly UPLOAD_IDLE_TIMEOUT?: number
  /** Seconds that a multipart body may take. @default 300 */
  readonly UPLOAD_TIMEOUT?: number
}

export const multipartSettings: { readonly [Name in keyof Required<MultipartSettings>]: SettingRow } = {
  UPLOAD_FILE_LIMIT: { type: 'integer', default: 52_428_800, meaning: 'The most bytes of an uploaded file.' },
  UPLOAD_BODY_LIMIT: {
    type: 'integer',
    default: 104_857_600,
    meaning: 'The most bytes of a multipart body, its files included.',
  },
  UPLOAD_TEXT_LIMIT: {
    type: 'integer',
    default: 1_048_576,
    meaning: 'The most bytes of the text parts of a multipart body together.',
  },
  UPLOAD_MAX_FILES: { type: 'integer', default: 10, meaning: 'The most files in a multipart body.' },
  UPLOAD_MAX_FIELDS: { type: 'integer', default: 200, meaning: 'The most text parts in a multipart body.' },
  UPLOAD_NAME_LENGTH: {
    type: 'integer',
    default: 255,
    meaning: "The most characters of a part's name, and of a file's.",
  },
  UPLOAD_HEADER_LIMIT: {
    type: 'integer',
    default: 8192,
    most: 1_048_576,
    meaning: 'The most bytes of the head of a part, up to 1048576.',
  },
  UPLOAD_MAX_HEADERS: { type: 'integer', default: 20, meaning: 'The most lines in the head of a part.' },
  UPLOAD_IDLE_TIMEOUT: {
    type: 'integer',
    default: 30,
    most: MOST_SECONDS,
    meaning: `Seconds that a multipart body may pause, up to ${MOST_SECONDS}.`,
  },
  UPLOAD_TIMEOUT: {
    type: 'integer',
    default: 300,
    most: MOST_SECONDS,
    meaning: `Seconds that a multipart body may take, up to ${MOST_SECONDS}.`,
  },
}

/** What a multipart body is held to: the settings with their defaults. */
export type MultipartLimits = Required<MultipartSettings>
