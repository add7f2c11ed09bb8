import { shortened } from '../error/issue.ts'
import { isFileField } from '../model/file-fields.ts'
import { kinds } from '../model/kinds.ts'
import type { Field, Model } from '../model/model.ts'
import type { ByteSource } from '../operation/byte-source.ts'
import type { Call } from '../operation/call.ts'
import { leadOf, strangerIssue } from '../schema/issues.ts'
import { bodyRefusal } from '../schema/validate.ts'
import { readMultipart } from './multipart.ts'
import type { MultipartLimits, MultipartTimes } from './multipart-limits.ts'
import { misfit } from './multipart-refusals.ts'
import type { FilePart, TextPart } from './part.ts'
import type { PartHead } from './part-head.ts'
import type { FileStorage } from './storage/storage.ts'
import { fromStorage } from './storage-refusals.ts'
import { textValue } from './text-value.ts'
import { type Uploads, uploadsTo } from './uploads.ts'

/** How a form is read. */
export interface FormReading {
  readonly model: Model
  readonly storage: FileStorage
  readonly limits: MultipartLimits
  readonly times: MultipartTimes
  /** The fields that a part may be for, by their names. */
  readonly fields: ReadonlyMap<string, Field>
  /** A schema of the application's own decides about texts: those for no field, and those that fit none. */
  readonly isCustom: boolean
}

/** A form that has been read. */
export interface ReceivedForm {
  /** As a JSON body would have it, with an `UploadedFile` for each file. */
  readonly body: Readonly<Record<string, unknown>>
  readonly uploads: Uploads
}

/**
 * Reads a form while it arrives: texts by the kinds of their fields, files straight into the storage. Where it fails,
 * nothing of its files is left.
 *
 * @throws HttpError 400, 408, 413 and 422 for what was sent; 503 for a storage that fails
 */
export const receiveForm = async (
  source: ByteSource,
  call: Pick<Call, 'header' | 'log'>,
  reading: FormReading,
): Promise<ReceivedForm> => {
  const { model, storage, limits, times } = reading
  const uploads = uploadsTo(storage, model, call.log)
  // By the names that the client chose.
  const body = new Map<string, unknown>()
  try {
    await readMultipart(source, call.header('content-type'), {
      limits,
      times,
      isFile: (head) => head.fileName !== undefined && !isJsonText(head, reading.fields.get(head.name)),
      onPart: async (part) => {
        body.set(
          part.name,
          part.kind === 'text' ? textOf(part, reading) : await fileOf(part, reading, uploads),
        )
      },
    })
  } catch (error) {
    await uploads.drop()
    throw fromStorage(error)
  }
  return { body: Object.fromEntries(body), uploads }
}

/** Pages send what is said to be JSON as a `Blob`, to which browsers give a file's name. */
const isJsonText = ({ declaredType }: PartHead, field: Field | undefined): boolean =>
  declaredType === 'application/json' && field !== undefined && kinds[field.kind].textIsJson === true

const textOf = ({ name, text }: TextPart, { model, fields, isCustom }: FormReading): unknown => {
  const field = fields.get(name)
  if (field === undefined) {
    if (isCustom) return text
    throw bodyRefusal([strangerIssue(name, model)])
  }
  const reading = textValue(text, field)
  if (reading.ok) return reading.value
  if (isCustom) return text
  const { code, expected, path = [] } = reading
  throw misfit([name, ...path], code, `${leadOf(code, [name, ...path])}Expected ${expected}.`)
}

const fileOf = (part: FilePart, { model, fields }: FormReading, uploads: Uploads): Promise<unknown> => {
  const field = fields.get(part.name)
  if (field === undefined) throw bodyRefusal([strangerIssue(part.name, model)])
  if (!isFileField(field))
    throw misfit(part.name, 'wrong_type', `${shortened(part.name)} takes text, and no file.`)
  return uploads.put(part, field)
}
