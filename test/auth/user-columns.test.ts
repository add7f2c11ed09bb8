import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalised } from '../../src/auth/users/identifiers.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  // Letters whose case, compatible form or white space is not what one expects.
  fc.string({
    unit: fc.constantFrom(
      ...'aA\u0130\u0131\u03a3\u03c3\u03c2\u1e9e\u00df\u212a\ufb03\ufdfa\u00a8\u0345\u030cjJ \u00a0\u3000\ufeff',
    ),
  }),
)
const check = (holds: (text: string) => void): void => fc.assert(fc.property(text, holds), { numRuns: 2000 })

describe('checklist 20: an identifier', () => {
  it.each([
    [' Ada@Example.COM\t', 'ada@example.com'],
    ['ＡＤＡ', 'ada'],
    ['ﬃ', 'ffi'],
    ['e\u0301', '\u00e9'],
    ['\u3000Ada\u00a0', 'ada'],
    ['Ⅷ', 'viii'],
    ['ΝΙΚΟΣ', 'νικοσ'],
    // The capital has no character of its own, the small letter has.
    ['J\u030c', '\u01f0'],
    ['  ', ''],
  ])('%j is %j', (typed, stored) => {
    expect(normalised(typed)).toBe(stored)
  })

  it('has one form, which is its own', () => {
    check((typed) => {
      expect(normalised(normalised(typed))).toBe(normalised(typed))
    })
  })

  it('has one form for every character, alone and between others', () => {
    // Between these there is none.
    for (let code = 0; code <= 0xe0fff; code += code === 0x3ffff ? 0xa0001 : 1) {
      const character = String.fromCodePoint(code)
      for (const typed of [character, `a${character}b`]) {
        const once = normalised(typed)
        if (normalised(once) !== once) expect.unreachable(`U+${code.toString(16)} has two forms`)
      }
    }
  })

  it('is the same in every case of ASCII, in every normal form, and with white space around it', () => {
    const upper = (typed: string) => typed.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
    check((typed) => {
      const stored = normalised(typed)
      for (const variant of [upper(typed), typed.toLowerCase(), ` \t${typed}\u00a0\n`])
        expect(normalised(variant)).toBe(stored)
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
        expect(normalised(typed.normalize(form))).toBe(stored)
    })
  })

  it('is trimmed and composed', () => {
    check((typed) => {
      const stored = normalised(typed)
      expect(stored.trim()).toBe(stored)
      expect(stored.normalize('NFKC')).toBe(stored)
      expect(stored.toLowerCase()).toBe(stored)
    })
  })
})
