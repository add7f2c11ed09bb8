import type { Asked } from './asked.ts'
import type { Ends } from './ends.ts'
import { refuse, shown } from './refuse.ts'
import type { Scanner } from './scanner.ts'

/** A value as it was written, white space and all. */
export interface Written {
  readonly text: string
  readonly isQuoted: boolean
}

/** In quotes it is the text. */
export const isNull = ({ text, isQuoted }: Written): boolean => text === 'null' && !isQuoted

/** The values of a condition, one unless the operator takes a list. @throws HttpError 400 for a broken quote */
export const readWritten = (scanner: Scanner, ends: Ends, asked: Asked): readonly Written[] => {
  if (!asked.operator.isList) return [readOne(scanner, ends.value, asked)]
  const written: Written[] = []
  do written.push(readOne(scanner, ends.element, asked))
  while (scanner.skip(','))
  return written
}

const readOne = (scanner: Scanner, ends: string, asked: Asked): Written => {
  if (!scanner.skip('"')) return { text: scanner.until(ends), isQuoted: false }
  const text = readQuoted(scanner, asked)
  const after = scanner.until(ends)
  if (after === '') return { text, isQuoted: true }
  throw brokenQuote(asked, `goes on behind its closing quote with ${shown(after)}. A quote inside is \\"`)
}

/** What stands behind an opening quote, up to the closing one. */
const readQuoted = (scanner: Scanner, asked: Asked): string => {
  let text = scanner.until('"\\')
  while (!scanner.skip('"')) {
    if (scanner.skip('\\"')) text += '"'
    else if (scanner.skip('\\\\')) text += '\\'
    else if (scanner.isAtEnd() || scanner.rest() === '\\')
      throw brokenQuote(
        asked,
        'has no closing quote. A & typed as it is ends the parameter: percent-encode it as %26',
      )
    else throw brokenQuote(asked, 'has a single backslash in its quotes. Write \\\\ for it')
    text += scanner.until('"\\')
  }
  return text
}

const brokenQuote = ({ target, operator, parameter }: Asked, what: string): Error =>
  refuse('malformed_query', parameter, `The value of ${target.field.name}${operator.sign} ${what}.`)

/** What was written, in the form of the field; null for null. @throws HttpError 400 that says what is expected */
export const readValue = (written: Written, { target, operator, parameter }: Asked): unknown => {
  if (isNull(written)) return null
  const { field, row } = target
  const reading = row.readText(written.text, field)
  if (reading.ok) return reading.value
  throw refuse(
    'invalid_value',
    parameter,
    `${field.name}${operator.sign} expects ${reading.expected}, not ${shown(written.text)}.`,
    reading.code,
  )
}
