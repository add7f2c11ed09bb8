import { pointerTo } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import { kinds } from '../model/kinds/index.ts'
import { fieldOf, isReadable, isWritable, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import type { BodyShape, FormShape } from '../operation/operation.ts'
import { type ByteSource, type Steps, waitInAnyMode } from '../operation/steps.ts'
import { type Condition, everything, fixedValues } from '../query/ast.ts'
import { formSchemaOf, uploadOf } from '../schema/form.ts'
import { bodyRefusal } from '../schema/issues.ts'
import { type NamedSchema, propertiesOf } from '../schema/json-schema.ts'
import { membersOf } from '../schema/members.ts'
import type { Row } from '../source/source.ts'
import { imageTypes } from '../upload/keys.ts'
import type { Uploads } from '../upload/uploads.ts'
import { bodyExample, knownExample } from './example.ts'
import { JSON_TYPE } from './record.ts'
import type { Resource } from './resource.ts'
import { togetherExample, togetherSchema } from './together/document.ts'
import type { Plan } from './together/plan.ts'

export type BodyKind = 'create' | 'update' | 'replace'

/** A body that has been read: the values in the form that is stored, and the fields that the client sent. */
export interface Body {
  readonly values: Row
  readonly sent: readonly string[]
  readonly uploads?: Uploads
  /** The related records that it writes. */
  readonly plans?: readonly Plan[]
}

export const namesIn = (body: unknown): readonly string[] =>
  typeof body === 'object' && body !== null ? Object.keys(body) : []

/** The fields that come from the client. The output of a custom schema may have other names than the body. */
export const sentFields = ({ values, sent }: Body, isCustom: boolean): readonly string[] =>
  isCustom ? [...sent, ...Object.keys(values)] : sent

/** Replaces the keys of uploaded files, and copies that a schema or hook made, with the files themselves. */
export const withUploads = <Values extends object>(values: Values, uploads: Uploads | undefined): Values => {
  if (uploads === undefined) return values
  const found = [...uploads.files].filter(([name, { key }]) => keyOf(Reflect.get(values, name)) === key)
  return found.length === 0 ? values : { ...values, ...Object.fromEntries(found) }
}

const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, 'key') : value

/** Reads the form of a request, as `read` reads a JSON body. */
type FormReader = (source: ByteSource, call: Call, read: (sent: unknown) => Steps<Body>) => Steps<Body>

/** Reads forms for an operation that accepts them. Deletes the files of a form that is refused. */
export const formReader = (resource: Resource, which: BodyKind): FormReader | undefined => {
  const { model, files, bodies } = resource
  if (files === undefined || !files.takesForm[which]) return undefined
  const { storage, limits } = files
  const members = membersOf(model, which).map(({ field }) => field)
  // A PUT may send back the fields of a GET.
  const shown = which === 'replace' ? model.fields.filter(isReadable) : []
  const fields = new Map([...shown, ...members].map((field) => [field.name, field]))
  const reading = { model, storage, limits, fields, isCustom: bodies.isCustom[which] }
  return function* (source, call, read) {
    const { receiveForm } = yield* waitInAnyMode(import('../upload/form.ts'))
    const { body, uploads } = yield* waitInAnyMode(receiveForm(source, call, reading))
    const confirmed = function* (): Steps<Body> {
      if (call.confirm !== undefined) yield* call.confirm()
      return { ...(yield* read(body)), uploads }
    }
    return yield* dropIfRefused(uploads, confirmed)
  }
}

/** Runs the rest of a request. If it fails, deletes the uploaded files. */
export const dropIfRefused = <T>(uploads: Uploads | undefined, rest: () => Steps<T>): Steps<T> =>
  uploads === undefined ? rest() : dropping(uploads, rest)

function* dropping<T>(uploads: Uploads, rest: () => Steps<T>): Steps<T> {
  try {
    return yield* rest()
  } catch (error) {
    yield* waitInAnyMode(uploads.drop())
    throw error
  }
}

/** Fills in absent fields for which the caller's scope allows exactly one value. */
export const filledBody = (model: Model, body: unknown, guard: Condition): unknown => {
  if (guard === everything || !isRecord(body)) return body
  const only = fixedValues(guard)
  const absent = [...only]
    .map(([name, value]) => ({ field: fieldOf(model, name), value }))
    .filter(({ field }) => isWritable(field) && !Object.hasOwn(body, field.name))
  if (absent.length === 0) return body
  const written = absent.map(({ field, value }) => [
    field.name,
    value === null ? null : kinds[field.kind].write(value, field),
  ])
  return { ...body, ...Object.fromEntries(written) }
}

/** Fills in fields that clients cannot write but for which the scope allows exactly one value. */
export const filledValues = (values: Row, guard: Condition): Row => {
  if (guard === everything) return values
  const absent = [...fixedValues(guard)].filter(([name]) => ownValue(values, name) === undefined)
  return absent.length === 0 ? values : { ...values, ...Object.fromEntries(absent) }
}

/** @throws HttpError 422 if the body says that the record belongs to another one than the path does */
export const assertBelow = (model: Model, body: unknown, parent: Condition): void => {
  if (!isRecord(body)) return
  const wrong = [...fixedValues(parent)].filter(([name, value]) => {
    if (!Object.hasOwn(body, name)) return false
    const field = fieldOf(model, name)
    const row = kinds[field.kind]
    const reading = row.read(ownValue(body, name), field)
    return !(reading.ok && row.write(reading.value, field) === row.write(value, field))
  })
  if (wrong.length === 0) return
  throw bodyRefusal(
    wrong.map(([name]) => ({
      pointer: pointerTo([name]),
      code: 'invalid',
      detail: `${name} must be that of the record in the path. Remove it, or send it there.`,
    })),
  )
}

const MERGE_PATCH = 'application/merge-patch+json'

export const bodyShape = (resource: Resource, which: BodyKind): BodyShape => {
  const form = formShape(resource, which)
  return {
    mediaTypes: which === 'update' ? [JSON_TYPE, MERGE_PATCH] : [JSON_TYPE],
    required: which !== 'update',
    schema: togetherSchema(resource, which),
    get example() {
      return togetherExample(resource, which, bodyExample(resource, which))
    },
    ...resource.bodyBounds,
    ...(form !== undefined && { form }),
  }
}

const formShape = (resource: Resource, which: BodyKind): FormShape | undefined => {
  const { files, model, jsonSchemas } = resource
  if (files === undefined || !files.takesForm[which]) return undefined
  const json = jsonSchemas[which]
  const schema = formSchemaOf(model, json, () => knownExample(resource, which) ?? {})
  return {
    schema,
    get encoding() {
      return encodingOf(resource, json)
    },
    get example() {
      return formExample(resource, which)
    },
    limit: files.limits.UPLOAD_BODY_LIMIT,
  }
}

/** The content types of parts that a schema cannot express: accepted images, and strings in JSON. */
const encodingOf = ({ model }: Resource, json: NamedSchema): NonNullable<FormShape['encoding']> => {
  const named = new Map(model.fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.keys(propertiesOf(json.schema)).flatMap((name) => {
      if (uploadOf(model, name) === 'image') return [[name, { contentType: imageTypes.join(', ') }]]
      const field = named.get(name)
      const isJson = field !== undefined && kinds[field.kind].textIsJson === true
      return isJson ? [[name, { contentType: 'application/json' }]] : []
    }),
  )
}

/**
 * Example contents that pass the check of the file type: text needs no signature, and the signature of GIF is plain text.
 */
const exampleUploads = { file: 'the bytes of a file', image: 'GIF89a' } as const

const formExample = (resource: Resource, which: BodyKind): unknown => {
  const example = knownExample(resource, which)
  if (example === undefined) return undefined
  const shown = propertiesOf(resource.jsonSchemas[which].schema)
  const members = membersOf(resource.model, which).filter(({ field }) => Object.hasOwn(shown, field.name))
  const parts = members.map(({ field: { name, kind } }) => {
    const { upload } = kinds[kind]
    return [name, upload === undefined ? ownValue(example, name) : exampleUploads[upload]] as const
  })
  // A part cannot be null, except in JSON.
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && value !== null))
}
