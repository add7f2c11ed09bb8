import { refuse, shown } from './parameters.ts'

/** Reads forward only, so the time is linear. */
export class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  isAt(expected: string): boolean {
    return this.#text.startsWith(expected, this.#at)
  }

  skip(expected: string): boolean {
    if (!this.isAt(expected)) return false
    this.#at += expected.length
    return true
  }

  /** The text up to one of these characters, or to the end. */
  until(ends: string): string {
    const from = this.#at
    const text = this.#text
    let at = ends === '' ? text.length : from
    while (at < text.length && !ends.includes(text.charAt(at))) at += 1
    this.#at = at
    return text.slice(from, at)
  }

  /** Whether one of these characters is next. */
  isAtOneOf(characters: string): boolean {
    return !this.isAtEnd() && characters.includes(this.#text.charAt(this.#at))
  }

  rest(): string {
    return this.#text.slice(this.#at)
  }
}

/** A value as the client wrote it, including white space. */
export interface WrittenValue {
  readonly text: string
  readonly isQuoted: boolean
}

/** What an error says about a value. */
export interface Labelled {
  /** Precedes the value: `price>`. */
  readonly label: string
  /** The parameter that an error names. */
  readonly parameter: string
}

/** A value up to one of the characters `ends`, or in quotes. @throws HttpError 400 */
export const readWritten = (scanner: Scanner, ends: string, about: Labelled): WrittenValue => {
  if (!scanner.skip('"')) return { text: scanner.until(ends), isQuoted: false }
  const text = readQuoted(scanner, about)
  const after = scanner.until(ends)
  if (after === '') return { text, isQuoted: true }
  throw brokenQuote(
    about,
    `continues after its closing quote with ${shown(after)}. Write a quote inside the value as \\"`,
  )
}

const readQuoted = (scanner: Scanner, about: Labelled): string => {
  let text = scanner.until('"\\')
  while (!scanner.skip('"')) {
    if (scanner.skip('\\"')) text += '"'
    else if (scanner.skip('\\\\')) text += '\\'
    else if (scanner.isAtEnd() || scanner.rest() === '\\')
      throw brokenQuote(about, 'is missing its closing quote. Write & as %26')
    else throw brokenQuote(about, 'contains a single backslash inside its quotes. Write it as \\\\')
    text += scanner.until('"\\')
  }
  return text
}

const brokenQuote = ({ label, parameter }: Labelled, what: string): Error =>
  refuse('malformed_query', parameter, `The value of ${label} ${what}.`)
