/** Reads a text from left to right, and never goes back. */
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

  /** Goes over the expected text, where it stands here. */
  skip(expected: string): boolean {
    if (!this.isAt(expected)) return false
    this.#at += expected.length
    return true
  }

  /** Everything up to one of these characters, or to the end. */
  until(ends: string): string {
    const from = this.#at
    const text = this.#text
    let at = ends === '' ? text.length : from
    while (at < text.length && !ends.includes(text.charAt(at))) at += 1
    this.#at = at
    return text.slice(from, at)
  }

  /** What is left, for an error. */
  rest(): string {
    return this.#text.slice(this.#at)
  }
}
