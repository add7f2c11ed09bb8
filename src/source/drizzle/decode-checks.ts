import { Unrepresentable } from '../../model/codec.ts'
import type { FieldKind } from '../../model/field-kinds.ts'
import { canonical, plainNotation } from '../../model/kinds/decimal-text.ts'
import { kinds } from '../../model/kinds.ts'
import type { Element, ValueForm } from '../../model/model.ts'

/** Gives the value of a field, or refuses it. `raw` is what the driver gave. */
export type Check = (value: unknown, raw: unknown) => unknown

const refuse = (): never => {
  throw new Unrepresentable('not exact')
}

/** Drivers hand out 64-bit integers as numbers or, where the host has asked for it, as bigints. */
const safeInteger: Check = (value) => {
  const number = typeof value === 'bigint' ? Number(value) : value
  return Number.isSafeInteger(number) ? number : refuse()
}

const MAX_INT64 = 2 ** 63

/** SQLite's numeric column: an integer of 64 bits that came as a number has lost digits. */
const lostDigits = (raw: unknown): boolean =>
  typeof raw === 'number' && Number.isInteger(raw) && !Number.isSafeInteger(raw) && Math.abs(raw) <= MAX_INT64

const exactText: Check = (value, raw) => (lostDigits(raw) ? refuse() : value)

const exactNumber: Check = (value, raw) => {
  if (lostDigits(raw)) return refuse()
  return typeof raw === 'number' || digitsOf(value) === digitsOf(raw) ? value : refuse()
}

/** One text for each number: no outer zeros. */
const digitsOf = (value: unknown): string | undefined => {
  const plain = plainNotation(String(value))
  return plain === undefined ? undefined : canonical(plain, 0)
}

const validDate: Check = (value) =>
  value instanceof Date && Number.isNaN(value.getTime()) ? refuse() : value

type Checks = Readonly<Partial<Record<FieldKind, Readonly<Partial<Record<ValueForm, Check>>>>>>

const checks: Checks = {
  integer: { number: safeInteger },
  bigint: { bigint: exactText, string: exactText },
  decimal: { number: exactNumber, string: exactText },
  date: { date: validDate },
  datetime: { date: validDate },
  localdatetime: { date: validDate },
}

/** What has to be looked at before a value is handed out. `undefined`: the column holds nothing that its form cannot. */
export const checkOf = (field: Element): Check | undefined => {
  if (field.kind === 'integer' && kinds.integer.writesAsIs(field)) return undefined
  return checks[field.kind]?.[field.form]
}
