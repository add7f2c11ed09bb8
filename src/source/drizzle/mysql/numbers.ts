/** The largest finite number of 32 bits, and what is larger, are compared as they are. */
export const asSingle = (value: unknown): unknown => {
  const single = Math.fround(Number(value))
  return Number.isFinite(single) ? single : value
}

const MOST_DIGITS_OF_A_SINGLE = 9

/** The shortest number that 32 bits hold as this one: 0.1, not 0.10000000149011612. */
export const readSingle = (raw: unknown): number => {
  const value = Number(raw)
  for (let digits = 1; digits < MOST_DIGITS_OF_A_SINGLE; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(MOST_DIGITS_OF_A_SINGLE))
}

/** @throws RangeError for what is no number of SQL */
export const finite = (value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not finite')
  return value
}
