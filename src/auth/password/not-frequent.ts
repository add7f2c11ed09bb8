import { codePoints, folded } from './forms.ts'
import { frequentPasswords } from './frequent-passwords.ts'
import type { PasswordValidator } from './validator.ts'

/**
 * Refuses the most common passwords (a list of 49,000) whatever their case, and what people make of them: up to four digits
 * or signs before or after one (`Princess12!`), one repeated, a few characters repeated (`abcabcabc`), characters in their
 * order (`abcdefgh`).
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notCommon } from 'modelrest'
 *
 * export const settings = defineSettings({ AUTH_PASSWORD_VALIDATORS: [minimumLength(), notCommon()] })
 * ```
 */
export const notCommon = (): PasswordValidator => (password) => {
  const text = folded(password)
  return rules.some((rule) => rule(text)) ? complaint : undefined
}

const complaint = 'The password is one of the most common ones, or too much like one.'

/** Shorter words are too few to say that the rest is only an ornament of them. */
const SHORTEST_WORD = 4

const isCommonWord = (text: string): boolean =>
  codePoints(text) >= SHORTEST_WORD && frequentPasswords().has(text)

const rules: readonly ((text: string) => boolean)[] = [
  (text) => frequentPasswords().has(text),
  (text) => isCommonWord(text.replace(/[^\p{L}]{1,4}$/u, '')),
  (text) => isCommonWord(text.replace(/^[^\p{L}]{1,4}/u, '')),
  (text) => {
    // The bound keeps the search linear in the length of the text.
    const unit = /^(.{1,16}?)\1+$/su.exec(text)?.[1]
    return unit !== undefined && (codePoints(unit) <= SHORTEST_WORD || frequentPasswords().has(unit))
  },
  (text) => {
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
    const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)))
    return steps.size === 1 && (steps.has(1) || steps.has(-1))
  },
]
