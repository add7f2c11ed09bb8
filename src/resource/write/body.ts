import { isDeepStrictEqual } from 'node:util'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, pointerTo, problem } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { constantDefault, kinds } from '../../model/kinds/index.ts'
import { type Field, fieldOf, isReadable, isWritable, type Model } from '../../model/model.ts'
import { type Awaitable, after, ownValue } from '../../model/objects.ts'
import type { Call } from '../../operation/call.ts'
import { type ByteSource, type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import { type Condition, everything, fixedValues } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { membersOf, staysOnReplace } from '../../schema/members.ts'
import { type Capabilities, DEFAULT, type Row } from '../../source/source.ts'
import type { Uploads } from '../../upload/uploads.ts'
import type { BodyKind } from '../document/nested.ts'
import { mayRead } from '../parts/record.ts'
import type { Bodies, Path, Resource, WriteTarget } from '../parts/resource.ts'
import type { Change } from './change.ts'
import { without, withoutUnchangedFiles } from './files.ts'

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
const filledBody = (model: Model, body: unknown, guard: Condition): unknown => {
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
  target: WriteTarget,
  sent: unknown,
  stored?: () => Steps<Row>,
): Steps<Change> => {
  const { bodies } = target.part
  const { media } = bodies
  if (media === undefined || stored === undefined)
    return wait(after(bodies.update(sent), (values) => sentAs(bodies, 'update', sent, values)))
  return (function* () {
    const own = yield* withoutUnchangedFiles(target, media, sent, stored)
    return sentAs(bodies, 'update', own, yield* wait(bodies.update(own)))
  })()
}

/** Reads the values that replace those of a record. @throws HttpError 422 if they change what is read-only */
export function* replacedValues(
  target: WriteTarget,
  scoped: ScopedCall,
  sent: unknown,
  seen: Row,
): Steps<Change> {
  const { model, bodies } = target.part
  const { media } = bodies
  const own = media === undefined ? sent : yield* withoutUnchangedFiles(target, media, sent, () => wait(seen))
  const changed = yield* withoutUnchanged(target, own, scoped, seen)
  const filled = bodies.isCustom.replace ? changed : filledBody(model, changed, scoped.guard)
  return sentAs(bodies, 'replace', changed, yield* wait(bodies.replace(filled, seen)))
}

/** A client may send back the foreign key that it received, but not change it. */
export const withoutForeign = ({ model }: WriteTarget, parent: Row, sent: unknown): unknown => {
  if (!isRecord(sent)) return sent
  const same = Object.entries(parent).filter(
    ([name, value]) => Object.hasOwn(sent, name) && isSame(fieldOf(model, name), ownValue(sent, name), value),
  )
  return withoutNames(
    sent,
    same.map(([name]) => name),
  )
}

export const withoutNames = (sent: unknown, names: readonly string[]): unknown =>
  isRecord(sent) ? Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name))) : sent

/**
 * Removes unchanged read-only fields from a PUT body, so that clients can send back the result of a GET. If the caller may
 * not read the record, only the key is compared; otherwise its values could be guessed.
 */
function* withoutUnchanged(
  { part: { model }, access }: WriteTarget,
  body: unknown,
  scoped: ScopedCall,
  found: Row,
): Steps<unknown> {
  if (!isRecord(body)) return body
  const fixed = model.fields.filter(
    (field) => isReadable(field) && !isReplaceable(model, field) && Object.hasOwn(body, field.name),
  )
  if (fixed.length === 0) return body
  const known = (yield* mayRead(access, scoped, found)) ? found : keyOnly(model, found)
  const errors: Issue[] = fixed
    .filter((field) => {
      const { name } = field
      return !Object.hasOwn(known, name) || !isSame(field, ownValue(body, name), ownValue(known, name))
    })
    .map(({ name }) => ({
      pointer: `/${name}`,
      code: 'read_only',
      detail: `${name} is read-only. Send its current value or remove it.`,
    }))
  if (errors.length > 0) throw problem('invalid_body', 'The body changes read-only fields.', { errors })
  return without(body, fixed)
}

const keyOnly = (model: Model, row: Row): Row =>
  Object.fromEntries(model.primaryKey.map((name) => [name, ownValue(row, name)]))

/** The values of writable fields that a PUT body omits: their default, else null. Some keep their value. */
export const absentFields = ({ part: { model }, records: { source } }: WriteTarget, values: Row): Row =>
  Object.fromEntries(
    model.fields
      .filter((field) => isReplaceable(model, field) && !staysOnReplace(field))
      .filter(
        (field) =>
          field.neededOnReplace !== true &&
          !Object.hasOwn(values, field.name) &&
          (field.hasDefault || field.nullable),
      )
      .map((field) => [field.name, field.hasDefault ? defaultOf(field, source.capabilities) : null]),
  )

const defaultOf = (field: Field, { databaseDefaults }: Capabilities): unknown =>
  databaseDefaults === true ? DEFAULT : (constantDefault(field) ?? null)

const isReplaceable = (model: Model, field: Field): boolean =>
  isWritable(field) && field.createOnly !== true && !model.primaryKey.includes(field.name)

const isSame = (field: Field, sent: unknown, stored: unknown): boolean => {
  if (sent === null || stored === null) return sent === stored
  const row = kinds[field.kind]
  const reading = row.read(sent, field)
  return reading.ok && isDeepStrictEqual(row.write(reading.value, field), row.write(stored, field))
}
