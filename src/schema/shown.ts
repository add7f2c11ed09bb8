import { kinds } from '../model/kinds.ts'
import { type Field, isReadable, type Model } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'

type Shown = Readonly<Record<string, unknown>>

/**
 * What a hook shows in place of a record, as plain JSON: the fields that can be read, and what is no field of the model.
 * A field that cannot be read stays hidden, also where the hook spread the whole record.
 *
 * @param names the fields that were asked for. @default all that can be read
 */
export const shownJson = (model: Model, shown: object, names?: readonly string[]): Shown => {
  const given = shown as Shown
  const fields = model.fields.filter((field) => isReadable(field) && (names?.includes(field.name) ?? true))
  const json: Record<string, unknown> = {}
  for (const field of fields) {
    if (Object.hasOwn(given, field.name)) json[field.name] = valueJson(field, ownValue(given, field.name))
  }
  for (const [name, value] of Object.entries(given)) {
    if (model.fields.every((field) => field.name !== name)) json[name] = value
  }
  return json
}

/** A value that the column cannot have is the hook's own, as a mask is: it is shown as it is. */
const valueJson = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return value
  const row = kinds[field.kind]
  const reading = row.read(value, field)
  if (reading.ok) return row.write(reading.value, field)
  return typeof value === 'number' ? row.write(value, field) : value
}
