import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { assertTitle, titleOf, toLiteral, toMarkdown } from '../../../src/cli/init/project-files.ts'
import { UsageError } from '../../../src/cli/terminal/index.ts'

/** Texts that would break out of something, among all others. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        ...["'", '"', '`', '\\', '${', '}', '\n', '\r', '\u2028', '\u2029', '\0', '*/', '//', '$&', "$'"],
        ...[
          '#',
          '*',
          '_',
          '[a](b)',
          '<b>',
          '&amp;',
          '&#35;',
          '|',
          '~~',
          '\u202e',
          '\ufeff',
          '\ud800',
          'a',
          ' ',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)

/** The value of the only literal of a module. */
const literalIn = (code: string): unknown => {
  const { program, errors } = parseSync('title.ts', code)
  expect(errors).toEqual([])
  const [statement, ...more] = program.body
  expect(more).toEqual([])
  const expression: unknown = Reflect.get(Object(statement), 'expression')
  expect(Reflect.get(Object(expression), 'type')).toBe('Literal')
  return new Function(`return ${code}`)()
}

describe('a title in code', () => {
  test('is the text, on one line', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const literal = toLiteral(text)
        expect(literalIn(literal)).toBe(text)
        expect(literal).not.toMatch(/[\n\r]/)
        expect(literal.isWellFormed()).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['Shop', `'Shop'`],
    [`Anna's "Shop"`, `'Anna\\'s "Shop"'`],
    [`\`\${process.exit()}\``, `'\`\${process.exit()}\`'`],
    ['a\nb', `'a\\nb'`],
    ['Käse 🧀', `'Käse 🧀'`],
  ])('%j', (text, literal) => {
    expect(toLiteral(text)).toBe(literal)
  })
})

describe('a title in Markdown', () => {
  const special = /[\\`*_[\]<>&#~$|]/g

  test('is one line, in which nothing has a meaning', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const line = toMarkdown(text)
        expect(line).not.toMatch(/[\n\r\u2028\u2029\0]|^\s|\s$/)
        // A backslash makes the character behind it a plain one, and nothing else is special.
        const plain = line.replaceAll(/\\([\\`*_[\]<>&#~$|])/g, '')
        expect(plain).not.toMatch(special)
        expect(line.replaceAll(/\\(.)/gu, '$1')).toBe(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['Shop', 'Shop'],
    ["Anna's *best* shop #", "Anna's \\*best\\* shop \\#"],
    ['a\n\n# b', 'a \\# b'],
    ['<script>', '\\<script\\>'],
  ])('%j', (text, line) => {
    expect(toMarkdown(text)).toBe(line)
  })
})

test.each([
  ['my-shop', 'My shop'],
  ['shop', 'Shop'],
  ['a_b.c', 'A b c'],
])('%s has the title %s', (name, title) => {
  expect(titleOf(name)).toBe(title)
})

test.each(['', ' ', '\n', '\u200b', '\u2028'])(
  'a title in which nothing can be read is refused: %j',
  (title) => {
    expect(() => assertTitle(title)).toThrow(UsageError)
    expect(assertTitle('日本')).toBe('日本')
  },
)
