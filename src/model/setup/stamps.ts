import { assertKnown, StartError } from '../../error/errors.ts'
import { type Field, type FieldKind, fieldOf, type Model, type Stamp } from '../model.ts'
import { isPlainObject } from '../objects.ts'

const values = ['caller', 'caller on create', 'now', 'now on create'] as const

/**
 * What a field is filled with: the key of the caller or the time, by each write or only when the record is created.
 */
export type StampValue = (typeof values)[number]

/** Field -> what fills it. */
export type StampChoices<Field extends string = string> = { readonly [Name in Field]?: StampValue }

const forCallers: readonly FieldKind[] = ['text', 'uuid', 'token', 'integer', 'bigint']
const forTimes: readonly FieldKind[] = ['datetime', 'localdatetime']

/** @returns whether the option has the right type */
export const areStamps = (given: unknown): boolean =>
  isPlainObject(given) &&
  Object.values(given).every((value) => value === undefined || typeof value === 'string')

export const stampShape =
  "an object that maps fields to one of 'caller', 'caller on create', 'now', 'now on create'"

/** @throws StartError for an unknown field or value, and for a field that cannot hold it */
export const stampsOf = (
  model: Model,
  given: StampChoices,
  opened: ReadonlyMap<string, boolean | undefined>,
): readonly Stamp[] => {
  const place = `modelConfig.${model.name}.stamps`
  if (model.readOnly)
    throw new StartError(`${place} has no effect because ${model.name} is a view. Remove it.`)
  const names = model.fields.map(({ name }) => name)
  return Object.entries(given).flatMap(([name, value]): readonly Stamp[] => {
    assertKnown(`${place}: unknown field`, name, names)
    if (value === undefined) return []
    assertKnown(`${place}.${name}: unknown value`, value, values)
    if (opened.get(name) === false)
      throw new StartError(`${place}: clients cannot write ${name}. Remove it from readOnly.`)
    const field = fieldOf(model, name)
    const of = value.startsWith('caller') ? 'caller' : 'now'
    const fitting = of === 'caller' ? forCallers : forTimes
    if (!fitting.includes(field.kind))
      throw new StartError(
        `${place}: ${name} is a field of the kind ${field.kind}. '${value}' needs one of ${fitting.join(', ')}.`,
      )
    if (field.generated || model.primaryKey.includes(name))
      throw new StartError(
        `${place}: ${name} is part of the key, or written by the database or the ORM, such as a timestamp of updates. Declare it as a plain column, or name another field.`,
      )
    return [{ field, of, onCreate: value.endsWith('on create') }]
  })
}

/** Writes fill the field without the client. */
export const filledAccess = (access: Field['access']): Pick<Field, 'access' | 'optional'> => ({
  access: access === 'hidden' || access === 'write-only' ? 'hidden' : 'read-only',
  optional: true,
})
