import type { KindField } from '../../../src/model/codec.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import type { Field } from '../../../src/model/model.ts'
import { fieldNamed } from '../../sample-model.ts'

/** A field as a source describes it. */
export const field = (kind: Field['kind'], form: Field['form'], more: Partial<Field> = {}): Field =>
  fieldNamed('value', kind, form, more)

/** The value that is read, or the code of the refusal. */
export const read = (of: KindField, value: unknown): unknown => {
  const reading = kinds[of.kind].read(value, of)
  return reading.ok ? reading.value : reading.code
}

export const readText = (of: KindField, text: string): unknown => {
  const reading = kinds[of.kind].readText(text, of)
  return reading.ok ? reading.value : reading.code
}

export const write = (of: KindField, value: unknown): unknown => kinds[of.kind].write(value, of)

/** What the refusal says is allowed. */
export const expectation = (of: KindField, value: unknown): string => {
  const reading = kinds[of.kind].read(value, of)
  return reading.ok ? 'accepted' : reading.expected
}
