import { Buffer } from 'node:buffer'
import {
  accepted,
  acceptedIf,
  atMost,
  byBytes,
  comparison,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  Unrepresentable,
  writtenAsIs,
} from '../codec.ts'

const BASE64_DIGIT = '[A-Za-z0-9+/]'

/** Canonical base64: padded, and with zeros in the unused bits. */
const base64Pattern = `^(?:${BASE64_DIGIT}{4})*(?:${BASE64_DIGIT}[AQgw]==|${BASE64_DIGIT}{2}[AEIMQUYcgkosw048]=)?$`

const expectedBytes = ({ maxLength }: KindField): string => atMost('base64', maxLength, 'bytes')

const readBase64 = (text: string): Reading => {
  const decoded = Buffer.from(text, 'base64')
  return acceptedIf(decoded.toString('base64') === text, decoded, 'base64, padded with =')
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const readBytes = (value: unknown, field: KindField): Reading => {
  const isBytes = value instanceof Uint8Array
  if (!isBytes && typeof value !== 'string') return refused('wrong_type', expectedBytes(field))
  const reading = isBytes ? accepted(bufferOf(value)) : readBase64(value)
  const { maxLength = Number.POSITIVE_INFINITY } = field
  const isTooLong = reading.ok && Buffer.isBuffer(reading.value) && reading.value.length > maxLength
  return isTooLong ? refused('too_long', expectedBytes(field)) : reading
}

/** Base64 encodes groups of three bytes and pads the last one. */
const lengthSchema = (bytes: number): object => {
  const whole = Math.floor(bytes / 3) * 4
  const rest = bytes % 3
  if (rest === 0) return { maxLength: whole }
  const padding = rest === 1 ? '==$' : '=$'
  return { maxLength: whole + 4, not: { minLength: whole + 1, not: { pattern: padding } } }
}

export const bytesKind: KindRow = Object.freeze<KindRow>({
  ...comparison.equality,
  compare: byBytes,
  noun: 'base64',
  schema: ({ maxLength }) => ({
    type: 'string',
    contentEncoding: 'base64',
    pattern: base64Pattern,
    ...(maxLength !== undefined && lengthSchema(maxLength)),
  }),
  read: readBytes,
  readText: readBase64,
  write: (value) => {
    if (value instanceof Uint8Array) return bufferOf(value).toString('base64')
    throw new Unrepresentable('bytes in an unknown format')
  },
})

const fileRow = (upload: 'file' | 'image', noun: string, shown: string): KindRow => {
  const expected = `${noun}, sent as a part of multipart/form-data`
  return Object.freeze<KindRow>({
    ...comparison.none,
    confusable: () => true,
    compare: byBytes,
    noun,
    schema: ({ mediaUrl }) => ({
      type: 'string',
      format: mediaUrl === undefined ? 'uri-reference' : 'uri',
      description: `The ${mediaUrl === undefined ? 'path' : 'URL'} of the file. To upload a file, send \`multipart/form-data\`.`,
    }),
    // Only the server creates keys: a client that could send one could read other files.
    read: (value) => (isUploadedFile(value) ? accepted(value.key) : refused('invalid_format', expected)),
    readText: () => refused('invalid_format', expected),
    ...writtenAsIs,
    shown: ({ mediaUrl = '/media/' }) => mediaUrl + shown,
    upload,
  })
}

export const fileKind: KindRow = fileRow('file', 'a file', 'documents/1/file/q4zk7a.pdf')

export const imageKind: KindRow = fileRow('image', 'an image', 'products/1/image/q4zk7a.png')

/** A file that a request has uploaded to the storage, in the payload of a hook. */
export interface UploadedFile {
  /** The key of the file in the storage, which the column stores. */
  readonly key: string
  /** The file name that the client sent. Show it as text; never use it as a path. */
  readonly name: string
  /** The media type, detected from the content. */
  readonly type: string
  /** The size in bytes. */
  readonly size: number
}

declare const isFile: unique symbol

/** Any string. The optional property, which does not exist, tells a file column from other text columns. */
interface OfFile {
  readonly length: number
  readonly [isFile]?: true
}

/** The key of a file in the storage: the value of a column made with `file()` or `image()`. Any string is one. */
export type FileKey = string & OfFile

/** The payload of a hook: a row with an uploaded file in place of the key of each file. */
export type WithUploads<Row> = [FilesIn<Row>] extends [never]
  ? Row
  : {
      [Name in keyof Row]: Name extends FilesIn<Row>
        ? UploadedFile | Extract<Row[Name], null | undefined>
        : Row[Name]
    }

/** The result of a hook: a payload, which may also contain keys of files. */
export type WithFiles<Row> = [FilesIn<Row>] extends [never]
  ? Row
  : { [Name in keyof Row]: Name extends FilesIn<Row> ? UploadedFile | Row[Name] : Row[Name] }

type FilesIn<Row> = {
  [Name in keyof Row]-?: typeof isFile extends keyof NonNullable<Row[Name]> ? Name : never
}[keyof Row]

const uploadedFiles = new WeakSet<object>()

/** Fields accept only objects that this function created, so clients cannot send a look-alike. */
export const uploadedFile = ({ key, name, type, size }: UploadedFile): UploadedFile => {
  const file = Object.freeze({ key, name, type, size })
  uploadedFiles.add(file)
  return file
}

export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && uploadedFiles.has(value)
