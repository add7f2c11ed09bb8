/**
 * The one form of an identifier, as an address or a user name: trimmed, in the compatible form of Unicode (NFKC) and in
 * lower case. It is what is stored, and what is looked for.
 *
 * @example `normalised(' Ada@Example.COM ')` is `ada@example.com`.
 */
export const normalised = (text: string): string => inOneForm(inOneForm(text))

/** Once is not enough: a lower case letter may have a compatible form of its own, and that may begin with a space. */
const inOneForm = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(FINAL_SIGMA, SIGMA).trim()

/** One letter, which is written in another way where its word ends. */
const SIGMA = '\u03c3'
const FINAL_SIGMA = '\u03c2'
