import { isDeepStrictEqual } from 'node:util'
import { type Issue, problem } from '../error/http-error.ts'
import { kinds } from '../model/kinds.ts'
import { type Field, isReadable, isWritable, type Model } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'
import { staysOnReplace } from '../schema/members.ts'
import { DEFAULT, type Row } from '../source/source.ts'

/**
 * A PUT body without the read-only fields that are as they were, so that what GET returned can be sent back.
 *
 * @param known the record as far as the caller may read it: else they could find out its values by trying
 * @throws HttpError 422 `read_only` for each of them that is changed, or not known
 */
export const withoutUnchanged = (model: Model, body: unknown, known: Row): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const fixed = model.fields.filter((field) => isReadable(field) && !isReplaceable(model, field))
  const sent = fixed.filter((field) => Object.hasOwn(body, field.name))
  if (sent.length === 0) return body
  const errors: Issue[] = sent
    .filter((field) => {
      const { name } = field
      return !Object.hasOwn(known, name) || !isSame(field, Reflect.get(body, name), ownValue(known, name))
    })
    .map(({ name }) => ({ pointer: `/${name}`, code: 'read_only', detail: `${name} cannot be changed.` }))
  if (errors.length > 0) throw problem('invalid_body', 'The body changes a read-only field.', { errors })
  return Object.fromEntries(Object.entries(body).filter(([key]) => !sent.some((field) => field.name === key)))
}

/** What a PUT does with writable fields that its body does not name: their default, else null. Some stay as they are. */
export const absentFields = (model: Model, values: Row): Row =>
  Object.fromEntries(
    model.fields
      .filter(
        (field) =>
          isReplaceable(model, field) && !staysOnReplace(field) && !Object.hasOwn(values, field.name),
      )
      .filter((field) => field.hasDefault || field.nullable)
      .map((field) => [field.name, field.hasDefault ? DEFAULT : null]),
  )

const isReplaceable = (model: Model, field: Field): boolean =>
  isWritable(field) && !model.primaryKey.includes(field.name)

const isSame = (field: Field, sent: unknown, stored: unknown): boolean => {
  if (sent === null || stored === null) return sent === stored
  const row = kinds[field.kind]
  const reading = row.read(sent, field)
  return reading.ok && isDeepStrictEqual(row.write(reading.value, field), row.write(stored, field))
}
