import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  extensionOf,
  isGeneratedFileKey,
  isSafeFileKey,
  knownTypes,
  mediaTypeOf,
  storageKey,
} from '../../src/upload/keys.ts'

test('a key says model, field and type, and nobody guesses it', () => {
  const parts = { model: 'OrderItem', field: 'coverPhoto', type: 'image/jpeg' }
  expect(storageKey(parts)).toMatch(/^order-item\/cover-photo\/([a-z2-7]{2})\/\1[a-z2-7]{24}\.jpg$/)
  const keys = new Set(Array.from({ length: 1000 }, () => storageKey(parts)))
  expect(keys.size).toBe(1000)
})

test('every letter of its end is as likely as the others', () => {
  const letters = Array.from({ length: 2000 }, () =>
    storageKey({ model: 'A', field: 'b', type: '' }).slice(7, 33),
  ).join('')
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // 1625 of each are expected: six standard deviations away from that.
  for (const count of counts.values()) expect(Math.abs(count - 1625)).toBeLessThan(240)
})

test('whatever the names are, the key is safe and known as made', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, text, (model, field, type) => {
      const key = storageKey({ model, field, type })
      expect(isGeneratedFileKey(key)).toBe(true)
      expect(isSafeFileKey(key)).toBe(true)
      expect(key.endsWith('.bin')).toBe(true)
    }),
  )
})

test.each(knownTypes)('%s has an extension of its own', (type) => {
  expect(mediaTypeOf(storageKey({ model: 'A', field: 'b', type }))).toBe(type)
})

test.each([
  ['a.JPG', 'image/jpeg'],
  ['a.jpeg', 'image/jpeg'],
  ['a.png.html', 'text/html'],
  ['a.html.png', 'image/png'],
  ['a', 'application/octet-stream'],
  ['png', 'application/octet-stream'],
  ['a.exe', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['a.png/b', 'application/octet-stream'],
])('%s is %s', (key, type) => {
  expect(mediaTypeOf(key)).toBe(type)
})

test.each(['', 'image', 'toString', 'image/png; charset=x', '../x'])('the type %j is not known', (type) => {
  expect(extensionOf(type)).toBe('bin')
})

test.each(['a', 'a/b', 'uploads/2024/Bild 1.png', 'ü/日本', '~a', 'a..b', `${'a'.repeat(255)}`])(
  'the key %j is safe',
  (key) => {
    expect(isSafeFileKey(key)).toBe(true)
  },
)

test.each([
  ...[
    '',
    '/',
    '.',
    '..',
    '/a',
    'a/',
    'a//b',
    '../a',
    'a/..',
    'a/./b',
    '.a',
    'a/.b',
    'a\\b',
    'C:a',
    'a\0',
    'a\n',
  ],
  ...[
    'a ',
    'a.',
    'a./b',
    'a?b',
    'a*b',
    '\ud800',
    'a'.repeat(256),
    'ü'.repeat(128),
    'abc/'.repeat(300).slice(0, -1),
  ],
])('the key %j is not safe', (key) => {
  expect(isSafeFileKey(key)).toBe(false)
})
