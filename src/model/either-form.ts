import type { KindRow, Reading } from './codec.ts'
import { kinds } from './kinds.ts'
import type { Field, ValueForm } from './model.ts'

/** Forms that hold more than clients may send: a record of the ORM may say `2026-01-31 09:30:00+00`. */
const looseForms: ReadonlySet<ValueForm> = new Set(['string', 'json'])

/** Reads a value that code gives: in the form of the field, as a record of the ORM has it, or as it is in JSON. */
export const readEitherForm = (value: unknown, field: Field): Reading => {
  const row = kinds[field.kind]
  const reading = (row.readOwn ?? row.read)(value, field)
  if (reading.ok || !looseForms.has(field.form)) return reading
  const json = jsonOf(row, value, field)
  const again = json === undefined ? reading : row.read(json, field)
  return again.ok ? again : reading
}

const jsonOf = (row: KindRow, value: unknown, field: Field): unknown => {
  try {
    return row.write(value, field)
  } catch {
    return undefined
  }
}
