import type { ScopedCall } from '../../controller/scope.ts'
import { pointerTo } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { kinds } from '../../model/kinds/index.ts'
import { fieldOf, isReadable, isWritable, type Model } from '../../model/model.ts'
import { type Awaitable, after, ownValue } from '../../model/objects.ts'
import type { Call } from '../../operation/call.ts'
import { type ByteSource, type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import { type Condition, everything, fixedValues } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { membersOf } from '../../schema/members.ts'
import type { Row } from '../../source/source.ts'
import type { Uploads } from '../../upload/uploads.ts'
import type { BodyKind } from '../document/body.ts'
import type { Bodies, Resource } from '../parts/resource.ts'
import type { Path, WriteTarget } from '../parts/target.ts'
import type { Change } from './change.ts'
import { withoutUnchangedFiles } from './files.ts'
import { isSame, withoutUnchanged } from './replaced.ts'

export const namesIn = (body: unknown): readonly string[] =>
  typeof body === 'object' && body !== null ? Object.keys(body) : []

/** Replaces the keys of uploaded files, and copies that a schema or hook made, with the files themselves. */
export const withUploads = <Values extends object>(values: Values, uploads: Uploads | undefined): Values => {
  if (uploads === undefined) return values
  const found = [...uploads.files].filter(([name, { key }]) => keyOf(Reflect.get(values, name)) === key)
  return found.length === 0 ? values : { ...values, ...Object.fromEntries(found) }
}

const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, 'key') : value

/** Reads the form of a request, as `read` reads a JSON body. */
type FormReader = (source: ByteSource, call: Call, read: (sent: unknown) => Steps<Change>) => Steps<Change>

/** Reads forms for an operation that accepts them. Deletes the files of a form that is refused. */
export const formReader = (
  resource: Pick<Resource, 'model' | 'bodies'>,
  which: BodyKind,
): FormReader | undefined => {
  const { model, bodies } = resource
  const { files } = bodies
  if (files === undefined || !files.takesForm[which]) return undefined
  const { storage, limits } = files
  const members = membersOf(model, which).map(({ field }) => field)
  // A PUT may send back the fields of a GET.
  const shown = which === 'replace' ? model.fields.filter(isReadable) : []
  const fields = new Map([...shown, ...members].map((field) => [field.name, field]))
  const reading = { model, storage, limits, fields, isCustom: bodies.isCustom[which] }
  return function* (source, call, read) {
    const { receiveForm } = yield* waitInAnyMode(import('../../upload/form.ts'))
    const { body, uploads } = yield* waitInAnyMode(receiveForm(source, call, reading))
    const confirmed = function* (): Steps<Change> {
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

/** What a change says that has no body. */
export const nothingSent: Pick<Change, 'values' | 'sent' | 'fields'> = { values: {}, sent: [], fields: [] }

/** @param sent the body as it was read */
const sentAs = (bodies: Bodies, verb: BodyKind, sent: unknown, values: Row): Change => {
  const names = namesIn(sent)
  const fields = bodies.isCustom[verb] ? [...names, ...Object.keys(values)] : names
  return { verb, path: whole, values, sent: names, fields }
}

const whole: Path = Object.freeze([])

/**
 * Reads the values of a new record.
 *
 * @param guard holds for records that the caller may create. It fills in fields for which it allows one value
 */
export const createdValues = (
  { part }: Pick<WriteTarget, 'part'>,
  guard: Condition,
  sent: unknown,
): Awaitable<Change> => {
  const { model, bodies } = part
  // A custom schema decides which fields exist.
  const filled = bodies.isCustom.create ? sent : filledBody(model, sent, guard)
  return after(bodies.create(filled), (values) => sentAs(bodies, 'create', sent, filledValues(values, guard)))
}

/** Reads the values that change a record. @param stored reads the record. @default files are not compared */
export const updatedValues = (
  { resource, part: { bodies } }: WriteTarget,
  sent: unknown,
  stored?: () => Steps<Row>,
): Steps<Change> => {
  const { media } = resource.bodies
  if (media === undefined || stored === undefined)
    return wait(after(bodies.update(sent), (values) => sentAs(bodies, 'update', sent, values)))
  return (function* () {
    const own = yield* withoutUnchangedFiles(resource, media, sent, stored)
    return sentAs(bodies, 'update', own, yield* wait(bodies.update(own)))
  })()
}

/** Reads the values that replace those of a record. @throws HttpError 422 if they change what is read-only */
export function* replacedValues(
  { resource, part }: WriteTarget,
  scoped: ScopedCall,
  sent: unknown,
  seen: Row,
): Steps<Change> {
  const { media } = resource.bodies
  const own =
    media === undefined ? sent : yield* withoutUnchangedFiles(resource, media, sent, () => wait(seen))
  const changed = yield* withoutUnchanged(part, own, scoped, seen)
  const { model, bodies } = part
  const filled = bodies.isCustom.replace ? changed : filledBody(model, changed, scoped.guard)
  return sentAs(bodies, 'replace', changed, yield* wait(bodies.replace(filled, seen)))
}

/** A client may send back the foreign key that it received, but not change it. */
export const withoutForeign = ({ resource }: WriteTarget, parent: Row, sent: unknown): unknown => {
  if (!isRecord(sent)) return sent
  const same = Object.entries(parent).filter(
    ([name, value]) =>
      Object.hasOwn(sent, name) && isSame(fieldOf(resource.model, name), ownValue(sent, name), value),
  )
  return withoutNames(
    sent,
    same.map(([name]) => name),
  )
}

export const withoutNames = (sent: unknown, names: readonly string[]): unknown =>
  isRecord(sent) ? Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name))) : sent
