import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { isDate, isoOf, yearPattern } from './calendar.ts'
import { never, unwrapped } from './row.ts'

const expected = 'a date, as 2026-01-31'

const readText = (text: string, field: KindField): Reading => {
  if (!isDate(text)) return refused('invalid_format', expected)
  return accepted(field.form === 'date' ? new Date(`${text}T00:00:00.000Z`) : text)
}

const read = (value: unknown, field: KindField): Reading => {
  const text = value instanceof Date ? (isoOf(value)?.slice(0, 10) ?? '') : unwrapped(value)
  return typeof text === 'string' ? readText(text, field) : refused('wrong_type', expected)
}

const write = (value: unknown): string => {
  const text = value instanceof Date ? isoOf(value)?.slice(0, 10) : unwrapped(value)
  if (typeof text === 'string' && isDate(text)) return text
  throw new Unrepresentable('a date outside of the years 0001 to 9999')
}

export const date: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: true,
  textual: false,
  noun: 'a date',
  // The format alone has a year 0000.
  schema: () => ({ type: 'string', format: 'date', pattern: `^${yearPattern}-\\d\\d-\\d\\d$` }),
  read,
  readText,
  write,
  writesAsIs: never,
})
