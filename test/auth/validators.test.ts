import { describe, expect, test } from 'vitest'
import {
  defaultValidators,
  minimumLength,
  notAllDigits,
  notCommon,
  notSimilar,
} from '../../src/auth/passwords/validators.ts'
import { StartError } from '../../src/error/errors.ts'
import { naming } from '../naming.ts'

/** Whatever their length: what no default validator has anything against. */
const good = [
  'correct horse battery staple',
  'v8#kQ-zr',
  'Wörter aus dem Süden',
  'パスワードは長いほうがよい',
  '🐎🔋📎✅🍀🎻🛶🧭',
  'aaakx!kx!w9-zb',
]
const user = { email: 'ann.smith@example.com', username: 'ann_s', name: 'Ann Smith', age: 42, phone: null }

test.each(good)('the default validators accept %s', (password) => {
  expect(defaultValidators.map((validator) => validator(password, user))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

describe('minimumLength', () => {
  test.each([
    ['1234567', true],
    ['12345678', false],
    ['🐎🔋📎✅🍀🎻🛶', true],
    ['🐎🔋📎✅🍀🎻🛶🧭', false],
    // Seven letters, one of them with a combining accent.
    ['pass\u0065\u0301wo', true],
    // One code point that NFKC makes many of.
    ['\ufdfa', true],
    ['        ', false],
  ])('checklist 22: at least 8 code points by default: %s', (password, refused) => {
    const complaint = minimumLength()(password, {})
    if (refused) expect(complaint).toMatch(naming(8))
    else expect(complaint).toBeUndefined()
  })

  test('takes another number, and says it', () => {
    expect(minimumLength(12)('elevenchars', {})).toMatch(naming(12))
    expect(minimumLength(11)('elevenchars', {})).toBeUndefined()
  })

  test.each([0, -1, 1.5, 257, Number.NaN, Number.POSITIVE_INFINITY])(
    '%s characters are refused at start',
    (least) => {
      expect(() => minimumLength(least)).toThrow(StartError)
    },
  )
})

describe('notCommon', () => {
  test.each([
    ['one of the list', 'password1'],
    ['in another case', 'PassWord1'],
    ['in full-width letters', 'ｐａｓｓｗｏｒｄ'],
    ['with digits behind it', 'princess2024'],
    ['with four signs behind it', 'sunshine!?!?'],
    ['with a sign behind it', 'password.'],
    ['with digits before it', '12princess'],
    ['with digits and a sign behind it', 'Sunshine23!'],
    ['repeated', 'dragondragon'],
    ['one character', 'zzzzzzzzz'],
    ['one of four bytes', '🐎🐎🐎🐎🐎🐎🐎🐎'],
    ['three characters repeated', 'xk!xk!xk!'],
    ['the alphabet', 'abcdefgh'],
    ['the alphabet from its end', 'zyxwvuts'],
  ])('refuses %s: %s', (_, password) => {
    expect(notCommon()(password, {})).toMatch(/./)
  })

  test.each([
    ['a short common word among others', 'cat-on-8-roofs'],
    ['a short common word with as much behind it', 'cat!1234'],
    ['a common word with much behind it', 'princess83#kq!'],
    ['a part repeated with an end of its own', 'xk!xk!xk!-9wq'],
    ['letters not all in their order', 'abcdxfgh'],
  ])('accepts %s: %s', (_, password) => {
    expect(notCommon()(password, {})).toBeUndefined()
  })
})

describe('notSimilar', () => {
  test.each([
    ['email', 'ann.smith@example.com'],
    ['email', 'ANN.SMITH'],
    ['email', 'annsmith1'],
    ['email', 'smith2024'],
    ['email', 'example.com'],
    ['email', 'ann.smyth'],
    ['email', 'n.smith@example'],
    ['username', 'user-zoë'],
    ['username', 'user-zoe\u0308'],
    ['name', 'Zoë Quill'],
    ['name', 'quillquill'],
  ])('refuses what is like the %s: %s', (field, password) => {
    const own = { email: 'ann.smith@example.com', username: 'user-zoë', name: ' Zoë  Quill ' }
    expect(notSimilar()(password, own)).toMatch(naming(field))
  })

  test('refuses a small part of a long name', () => {
    expect(notSimilar()('longname', { name: 'Averylongnamewithoutaspace' })).toMatch(naming('name'))
  })

  test.each([
    ['holds a word of the name as a small part', 'my smith hammers gold', user],
    ['holds a name of two letters', 'wu9', { name: 'Wu' }],
    [
      'is like a text that is too long for a name',
      'lorem ipsum',
      { bio: `lorem ipsum ${'dolor '.repeat(50)}` },
    ],
    ['is like a number', '12345-12345', { phone: 1234512345 }],
    ['is like nothing', 'correct horse battery staple', { email: '', name: null, tags: ['correct horse'] }],
  ])('accepts what %s', (_, password, own) => {
    expect(notSimilar()(password, own)).toBeUndefined()
  })
})

describe('notAllDigits', () => {
  test.each(['19840523', '٠١٢٣٤٥٦٧', '１９８４０５２３'])('refuses %s', (password) => {
    expect(notAllDigits()(password, {})).toMatch(/./)
  })

  test.each(['1984-05-23', '1984052a', '١٩٨٤ م'])('accepts %s', (password) => {
    expect(notAllDigits()(password, {})).toBeUndefined()
  })
})

test('the longest passwords of one pattern get an answer from each', () => {
  for (const text of [
    'ab'.repeat(512),
    `${'ab'.repeat(511)}cd`,
    'a'.repeat(1023),
    '\ufdfa'.repeat(341),
    '1'.repeat(1024),
  ]) {
    for (const validator of defaultValidators)
      expect([undefined, expect.any(String)]).toContainEqual(validator(text, user))
  }
})
