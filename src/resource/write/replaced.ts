import { isDeepStrictEqual } from 'node:util'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, problem } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import { constantDefault, kinds } from '../../model/kinds/index.ts'
import { type Field, isReadable, isWritable, type Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import { staysOnReplace } from '../../schema/members.ts'
import { DEFAULT, type Row } from '../../source/source.ts'
import { mayRead } from '../parts/record.ts'
import type { Resource } from '../parts/resource.ts'
import { without } from './files.ts'

/**
 * Removes unchanged read-only fields from a PUT body, so that clients can send back the result of a GET. If the caller may
 * not read the record, only the key is compared; otherwise its values could be guessed.
 */
export function* withoutUnchanged(
  resource: Pick<Resource, 'model' | 'access' | 'records'>,
  body: unknown,
  scoped: ScopedCall,
  found: Row,
): Steps<unknown> {
  const { model } = resource
  if (!isRecord(body)) return body
  const fixed = model.fields.filter(
    (field) => isReadable(field) && !isReplaceable(model, field) && Object.hasOwn(body, field.name),
  )
  if (fixed.length === 0) return body
  const known = (yield* mayRead(resource, scoped, found)) ? found : keyIn(model, found)
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

const keyIn = (model: Model, row: Row): Row =>
  Object.fromEntries(model.primaryKey.map((name) => [name, ownValue(row, name)]))

/** The values of writable fields that a PUT body omits: their default, else null. Some keep their value. */
export const absentFields = (
  { model, records: { source } }: Pick<Resource, 'model' | 'records'>,
  values: Row,
): Row =>
  Object.fromEntries(
    model.fields
      .filter((field) => isReplaceable(model, field) && !staysOnReplace(field))
      .filter(
        (field) =>
          field.neededOnReplace !== true &&
          !Object.hasOwn(values, field.name) &&
          (field.hasDefault || field.nullable),
      )
      .map((field) => [field.name, field.hasDefault ? defaultOf(field, source) : null]),
  )

const defaultOf = (field: Field, { capabilities }: Resource['records']['source']): unknown =>
  capabilities.databaseDefaults === true ? DEFAULT : (constantDefault(field) ?? null)

const isReplaceable = (model: Model, field: Field): boolean =>
  isWritable(field) && field.createOnly !== true && !model.primaryKey.includes(field.name)

export const isSame = (field: Field, sent: unknown, stored: unknown): boolean => {
  if (sent === null || stored === null) return sent === stored
  const row = kinds[field.kind]
  const reading = row.read(sent, field)
  return reading.ok && isDeepStrictEqual(row.write(reading.value, field), row.write(stored, field))
}
