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
    while (this.#at < this.#text.length && !ends.includes(this.#text.charAt(this.#at))) this.#at += 1
    return this.#text.slice(from, this.#at)
  }

  /** A text in double quotes, with `\"` and `\\` for these two characters. `undefined`: it has no end. */
  quoted(): string | undefined {
    let text = ''
    this.#at += 1
    for (;;) {
      text += this.until('"\\')
      if (this.skip('"')) return text
      if (this.isAtEnd()) return undefined
      this.#at += 1
      text += this.#text.charAt(this.#at)
      this.#at += 1
    }
  }

  /** The next characters, for an error. */
  rest(length: number): string {
    return this.#text.slice(this.#at, this.#at + length)
  }
}
