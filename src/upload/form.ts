import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { HttpError, type Issue, shortened, suggest } from '../error/errors.ts'
import type { Reading } from '../model/codec.ts'
import { isFileField, kinds } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import type { Call } from '../operation/call.ts'
import type { ByteSource } from '../operation/steps.ts'
import { bodyRefusal, detailOf, unwritableKeyIssue } from '../schema/issues.ts'
import { type FilePart, readMultipart, type TextPart } from './multipart.ts'
import { invalidPart, type PartHead } from './multipart-grammar.ts'
import type { MultipartLimits } from './multipart-settings.ts'
import { type FileStorage, StorageError, type StorageErrorKind, storageUnavailable } from './storage.ts'
import { sniff, type Uploads, uploadsTo } from './uploads.ts'

export interface FormReading {
  readonly limits: MultipartLimits
  readonly model: Model
  readonly storage: FileStorage
  /** The fields that parts may have, by name. */
  readonly fields: ReadonlyMap<string, Field>
  /** A custom schema decides about strings with unknown names and strings that do not match their field. */
  readonly isCustom: boolean
}

interface ReceivedForm {
  /** The body as in JSON, with an `UploadedFile` for each file. */
  readonly body: Readonly<Record<string, unknown>>
  readonly uploads: Uploads
}

/** Streams the files of a form to the storage. If reading fails, deletes them. */
export const receiveForm = async (
  source: ByteSource,
  call: Pick<Call, 'header' | 'log'>,
  reading: FormReading,
): Promise<ReceivedForm> => {
  const { model, storage, limits } = reading
  const uploads = uploadsTo(storage, model, call.log)
  // A map, because the client chooses the names.
  const body = new Map<string, unknown>()
  const unknown: string[] = []
  try {
    await readMultipart(source, call.header('content-type'), {
      limits,
      isFile: (head) => head.fileName !== undefined && !isJsonText(head, reading.fields.get(head.name)),
      onPart: async (part) => {
        if (isUnknown(part, reading)) unknown.push(part.name)
        // No file is stored for a body that will be refused.
        if (part.kind === 'file' && unknown.length > 0) throw bodyRefusal(unknownParts(unknown, reading))
        body.set(
          part.name,
          part.kind === 'text' ? textOf(part, reading) : await fileOf(part, reading, uploads),
        )
      },
    })
  } catch (error) {
    await uploads.drop()
    if (error instanceof StorageError) throw storageUnavailable(storageDetails[error.kind], error)
    throw error
  }
  return { body: Object.fromEntries(body), uploads }
}

/** Pages send JSON parts as a `Blob`, and browsers add a file name to it. */
const isJsonText = ({ declaredType }: PartHead, field: Field | undefined): boolean =>
  declaredType === 'application/json' && field !== undefined && kinds[field.kind].textIsJson === true

/** The name of such a text stays in the body, so that the schema reports it together with all other mistakes. */
const isUnknown = (part: FilePart | TextPart, { model, fields, isCustom }: FormReading): boolean =>
  !(fields.has(part.name) || (isCustom && part.kind === 'text')) &&
  unwritableKeyIssue(part.name, model).code === 'unknown_key'

const unknownParts = (names: readonly string[], { model, fields }: FormReading): readonly Issue[] =>
  names.map((name) => {
    const issue = unwritableKeyIssue(name, model)
    return { ...issue, detail: issue.detail + suggest(shortened(name), fields.keys()) }
  })

const textOf = (part: TextPart, reading: FormReading): unknown => {
  const { name, text } = part
  const { model, fields, isCustom } = reading
  const field = fields.get(name)
  if (field === undefined) {
    if (isCustom || isUnknown(part, reading)) return text
    throw bodyRefusal([unwritableKeyIssue(name, model)])
  }
  const value = textValue(text, field)
  if (value.ok) return value.value
  if (isCustom) return text
  const { code, expected, path = [] } = value
  throw invalidPart([name, ...path], code, detailOf(code, [name, ...path], `must be ${expected}.`))
}

const fileOf = (part: FilePart, { model, fields }: FormReading, uploads: Uploads): Promise<unknown> => {
  const field = fields.get(part.name)
  if (field === undefined) throw bodyRefusal([unwritableKeyIssue(part.name, model)])
  if (!isFileField(field))
    throw invalidPart(part.name, 'wrong_type', `${shortened(part.name)} must be text, not a file.`)
  return uploads.put(part, field)
}

/**
 * Reads the text of a part. An empty text is null if the field is nullable and refuses it, because forms cannot send
 * null.
 */
export const textValue = (text: string, field: Field): Reading => {
  const { upload, readText, write } = kinds[field.kind]
  if (upload !== undefined) return { ok: true, value: text === '' && field.nullable ? null : text }
  const reading = readText(text, field)
  if (!reading.ok) return text === '' && field.nullable ? { ok: true, value: null } : reading
  return reading.value === null ? reading : { ok: true, value: write(reading.value, field) }
}

const storageDetails: Readonly<Record<StorageErrorKind, string>> = {
  missing: 'The file is temporarily unavailable.',
  full: 'File storage is full.',
  unavailable: 'File storage is temporarily unavailable.',
}

/** A file of a form in a handler of the application. It is deleted after the response. */
export interface FormFile {
  /** The name of the part. */
  readonly field: string
  /** The file name that the client sent. Show it as text; never use it as a path. */
  readonly name: string
  /** The media type, by the first bytes of the content if they have a signature. */
  readonly type: string
  /** The size in bytes. */
  readonly size: number
  /** Returns a new stream of the whole content. @throws Error after the response */
  stream(): Readable
}

export interface SpooledForm {
  /** Part name -> text. Parts with the same name are a list. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>
  readonly files: readonly FormFile[]
  /** Closes the files. It never fails. */
  close(): Promise<void>
}

/** Reads a whole form. Its files become unlinked temporary files, which disappear when the process ends. */
export const spoolForm = async (
  source: ByteSource,
  contentType: string | undefined,
  limits: MultipartLimits,
): Promise<SpooledForm> => {
  const handles: FileHandle[] = []
  const files: FormFile[] = []
  const texts = new Map<string, string | readonly string[]>()
  const close = async (): Promise<void> => {
    await Promise.allSettled(handles.splice(0).map((handle) => handle.close()))
  }
  try {
    await readMultipart(source, contentType, {
      limits,
      repeats: true,
      onPart: async (part) => {
        if (part.kind === 'file') files.push(await spool(part, handles))
        else texts.set(part.name, withText(texts.get(part.name), part.text))
      },
    })
  } catch (error) {
    await close()
    if (error instanceof HttpError) throw error
    throw storageUnavailable('Temporary file storage is unavailable.', error)
  }
  return { fields: Object.fromEntries(texts), files, close }
}

const withText = (known: string | readonly string[] | undefined, text: string): string | readonly string[] =>
  known === undefined ? text : [...(typeof known === 'string' ? [known] : known), text]

const spool = async (part: FilePart, handles: FileHandle[]): Promise<FormFile> => {
  const { type, bytes } = await sniff(part, 'file')
  const handle = await openUnlinked()
  handles.push(handle)
  await handle.writeFile(bytes)
  const { size } = await handle.stat()
  return {
    ...{ field: part.name, name: part.fileName ?? '', type, size },
    stream: () => {
      if (handle.fd === -1)
        throw new Error(`The file ${part.name} was deleted after the response. Read it before you respond.`)
      return Readable.from(bytesOf(handle), { objectMode: false })
    },
  }
}

const pieceBytes = 65_536

/** Each reader has its own position in the file. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const openUnlinked = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `modelrest-form-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}
