/** The same for every cache: some would keep a text for ever that was to be kept for no time. */
export const wholeSeconds = (seconds: number): number => {
  if (Number.isSafeInteger(seconds) && seconds >= 1) return seconds
  throw new RangeError(`A cache keeps a text for a whole number of seconds from 1, not ${seconds}.`)
}
