/**
 * A `Date` that remembers what it was read from, so that the digits beyond milliseconds survive: databases store
 * microseconds, `Date` does not.
 */
export class PreciseDate extends Date {
  readonly #exact: string

  /** @param exact RFC 3339 in UTC: `2026-01-31T23:59:59.123456Z` */
  constructor(exact: string) {
    super(exact)
    this.#exact = exact
  }

  /** With all digits, as long as nobody has set the date to another time. */
  override toISOString(): string {
    return Date.parse(this.#exact) === this.getTime() ? this.#exact : super.toISOString()
  }
}
