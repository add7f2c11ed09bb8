import type { Reading } from '../model/codec.ts'
import { kinds } from '../model/kinds.ts'
import type { Field } from '../model/model.ts'

/**
 * What the text of a part says, as it would stand in JSON. An empty one is null where the field may be null and has no
 * empty text: a form sends nothing else for it.
 */
export const textValue = (text: string, field: Field): Reading => {
  const { upload, readText, write } = kinds[field.kind]
  if (upload !== undefined) return { ok: true, value: text === '' && field.nullable ? null : text }
  const reading = readText(text, field)
  if (!reading.ok) return text === '' && field.nullable ? { ok: true, value: null } : reading
  return reading.value === null ? reading : { ok: true, value: write(reading.value, field) }
}
