import { filled as repeated } from './random-paths.ts'

/** A text of JSON that was, or may be, dear to read, of about so many bytes. */
type Make = (size: number) => string

const filled = (size: number, text: string): string => repeated(text, size)

/** An array as long as fits, of one element. */
const arrayOf =
  (element: string): Make =>
  (size) =>
    `[${Array(Math.max(1, Math.floor(size / (element.length + 1))))
      .fill(element)
      .join()}]`

const stringOf =
  (text: string, before = '', after = ''): Make =>
  (size) =>
    `"${before}${text.repeat(Math.max(1, Math.floor(size / text.length)))}${after}"`

const nested =
  (open: string, inner: string, close: string, most = Number.POSITIVE_INFINITY): Make =>
  (size) => {
    const levels = Math.max(1, Math.min(most, Math.floor(size / (open.length + close.length))))
    return open.repeat(levels) + inner + close.repeat(levels)
  }

const objectOf =
  (member: (index: number) => string): Make =>
  (size) => {
    const members: string[] = []
    for (let length = 0, index = 0; length < size; index += 1) {
      const text = member(index)
      members.push(text)
      length += text.length + 1
    }
    return `{${members.join()}}`
  }

/** What may stand in the place of a value. */
export const values: Readonly<Record<string, Make>> = {
  'imprecise integers': arrayOf('9007199254740993'),
  'imprecise fractions': arrayOf('0.12345678901234567890'),
  'large exponents': arrayOf('1e100'),
  'largest exponents': arrayOf('1e308'),
  'exponents without end': arrayOf('1e99999'),
  'small exponents': arrayOf('1e-300'),
  'one number of digits': (size) => `1${filled(size, '0123456789')}`,
  'one fraction of digits': (size) => `0.${filled(size, '0')}1`,
  'one exponent of digits': (size) => `1e${filled(size, '9')}`,
  'one negative exponent': (size) => `1e-${filled(size, '9')}`,
  'text of digits': stringOf('7'),
  'text of zeros': stringOf('0', '1.'),
  'text of an exponent': stringOf('9', '1e'),
  'text of signs': stringOf('-'),
  'text of letters': stringOf('a'),
  'text of spaces': stringOf(' ', 'x', 'x'),
  'text of quotes': stringOf('\\"'),
  'text of NUL': stringOf('\\u0000'),
  'text of halves': stringOf('\\ud800'),
  'text of emoji': stringOf('😀'),
  'text of accents': stringOf('\u0301', 'e'),
  'text of ligatures': stringOf('ﷺ'),
  'text of dots': stringOf('a.', 'a@', 'com'),
  'text of at signs': stringOf('@'),
  'text of a date': stringOf('0', '2026-01-01T00:00:00.', 'Z'),
  'text of base64': stringOf('AAAA'),
  'text of an url': stringOf('/a', '/api/media'),
  'text of percent signs': stringOf('%'),
  'array of true': arrayOf('true'),
  'array of null': arrayOf('null'),
  'array of zeros': arrayOf('0'),
  'array of objects': arrayOf('{}'),
  'array of arrays': arrayOf('[]'),
  'array of texts': arrayOf('"a"'),
  'deep arrays': nested('[', '', ']'),
  'deep objects': nested('{"a":', '1', '}'),
  'the deepest arrays': nested('[', '', ']', 90),
  'wide and deep': (size) => nested('[', `${filled(Math.max(1, size - 200), '1,')}1`, ']', 90)(180),
  'many keys': objectOf((index) => `"k${index}":0`),
  'one key again and again': objectOf(() => '"k":0'),
  'keys of Object': objectOf((index) => `"${['__proto__', 'constructor', 'toString'][index % 3]}":{}`),
  'long keys': objectOf((index) => `"${index}${'k'.repeat(1000)}":0`),
  'keys to escape': objectOf((index) => `"${'~/'.repeat(50)}${index}":0`),
  'one long key': (size) => `{"${filled(size, 'k')}":[${'9007199254740993,'.repeat(3)}true]}`,
}

/** What may stand in the place of a whole body, beside each of the values. */
export const wholes: Readonly<Record<string, Make>> = {
  blanks: (size) => `{${filled(size, ' \n\t')}}`,
  'cut off': (size) => `{"a":"${filled(size, 'a')}`,
  'an open array': (size) => `[${filled(size, '1,')}`,
  'a long key of imprecise numbers': (size) =>
    `{"${filled(size / 2, 'k')}":${arrayOf('9007199254740993')(size / 2)}}`,
  'a long key to escape': (size) => `{"${filled(size / 2, '~')}":${arrayOf('9007199254740993')(size / 2)}}`,
  'long keys in long keys': (size) => nested(`{"${'k'.repeat(1000)}":`, '1e400', '}', 90)(size),
  'no UTF-8': (size) => `{"a":"${filled(size, '\u00ff')}"}`,
}

/** The JSON text of an object with one member that is a text already. */
export const bodyWith = (example: unknown, name: string, value: string): string => {
  const others = Object.entries(Object(example) as object).filter(([key]) => key !== name)
  const members = others.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)
  return `{${[...members, `${JSON.stringify(name)}:${value}`].join()}}`
}
