import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonText } from '../../../src/model/kinds/json.ts'

const IMPRECISE = '9007199254740993'
/** A text that no other value holds. */
const MARK = 'here it is'

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value)

describe('JSON text', () => {
  it('tells where each number is that cannot be held, however its text is written', () => {
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant(MARK),
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4 }),
      ),
    })).value
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space)
        const marked = text.replaceAll(JSON.stringify(MARK), IMPRECISE)
        const expected = marked.split(IMPRECISE).length - 1
        const reading = readJsonText(marked)
        if (reading.ok || reading.reason !== 'imprecise') {
          expect([expected, reading]).toEqual([0, { ok: true, value: JSON.parse(text) }])
        } else {
          const paths = reading.numbers.map(({ path }) => path)
          expect(paths.map((path) => valueAt(value, path))).toEqual(Array(expected).fill(MARK))
          expect(new Set(paths.map((path) => JSON.stringify(path))).size).toBe(expected)
        }
      }),
    )
  })

  it('takes exactly the numbers that a double gives back', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/)
    fc.assert(
      fc.property(digits, (source) => {
        expect(readJsonText(`[${source}]`).ok).toBe(isExact(source))
        expect(readJsonText(`["${' '.repeat(300)}",${source}]`).ok).toBe(isExact(source))
      }),
      { numRuns: 2000 },
    )
  })

  it('is refused from 101 levels on', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}0${'}]'.repeat(levels / 2)}`
    expect(readJsonText(nested(100)).ok).toBe(true)
    expect(readJsonText(nested(102))).toEqual({ ok: false, reason: 'too-deep' })
    expect(readJsonText(`"${'['.repeat(500)}"`).ok).toBe(true)
  })

  it.each([
    ['position 99', undefined],
    ['[] in JSON at position 99', 3],
    ['x in JSON at position 7', undefined],
    ['[Unexpected end]', undefined],
    ['Unexpected end of JSON input', undefined],
    ['{"position 7":1,}', 16],
    ['{"a":1', 6],
    ['tru', 3],
  ])('has no position that it names itself: %s', (text, position) => {
    expect(readJsonText(text)).toEqual({ ok: false, reason: 'malformed', position })
  })
})

/** As fractions: the shortest text of the double and the text that was sent have the same value. */
const isExact = (source: string): boolean => {
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  const [sent, held] = [fractionOf(source), fractionOf(String(value))]
  return sent.digits * 10n ** BigInt(held.scale) === held.digits * 10n ** BigInt(sent.scale)
}

const fractionOf = (text: string): { readonly digits: bigint; readonly scale: number } => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift >= 0 ? { digits: digits * 10n ** BigInt(shift), scale: 0 } : { digits, scale: -shift }
}
