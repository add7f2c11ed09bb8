/**
 * The text that is hashed: NFKC, as NIST SP 800-63B asks, so that a password is the same from every keyboard (`é` as one
 * code point or as two, full-width letters). Nothing is trimmed, and case counts.
 */
export const hashedForm = (password: string): string => password.normalize('NFKC')

/** The text that is compared with words: the hashed form in lower case. */
export const folded = (text: string): string => hashedForm(text).toLowerCase()

/** How many code points, not UTF-16 units: an emoji is one. */
export const codePoints = (text: string): number => [...text].length
