import { parse } from 'content-disposition'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownTypes } from '../../src/upload/keys.ts'
import { contentDisposition, contentType, dispositionOf, fileHeaders } from '../../src/upload/serve.ts'

describe('a browser', () => {
  test.each([
    ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'audio/mpeg', 'video/mp4'],
    'text/plain',
  ])('shows %s', (type) => {
    expect(dispositionOf(type)).toBe('inline')
  })

  test.each([
    ...['text/html', 'application/xhtml+xml', 'image/svg+xml', 'application/xml', 'text/xml', 'text/css'],
    ...['text/javascript', 'application/javascript', 'application/pdf', 'application/octet-stream'],
    ...['application/json', 'application/wasm', 'application/x-shockwave-flash', 'multipart/x-mixed-replace'],
    ...['IMAGE/PNG', 'image/png; charset=x', 'image/*', '', 'toString', 'constructor'],
  ])('saves %s', (type) => {
    expect(dispositionOf(type)).toBe('attachment')
  })

  test('shows nothing that is no picture, sound, video or plain text', () => {
    const shown = knownTypes.filter((type) => dispositionOf(type) === 'inline')
    expect(shown.filter((type) => !/^(image|audio|video)\/|^text\/plain$/.test(type))).toEqual([])
    expect(shown).not.toContain('image/svg+xml')
  })
})

describe('a page of the same origin', () => {
  test.each([
    ...[
      'text/html',
      'application/xhtml+xml',
      'image/svg+xml',
      'application/xml',
      'text/xml',
      'text/xsl',
      'text/css',
    ],
    ...[
      'text/javascript',
      'application/javascript',
      'application/ecmascript',
      'text/vbscript',
      'application/wasm',
    ],
    ...['application/x-shockwave-flash', 'multipart/x-mixed-replace', 'message/rfc822'],
  ])('gets %s as bytes, which it cannot run or apply', (type) => {
    expect(contentType(type)).toBe('application/octet-stream')
  })

  test('gets every other known type as it is', () => {
    const others = knownTypes.filter((type) => !contentType(type).startsWith(type))
    expect(others.sort()).toEqual([
      'application/wasm',
      'application/xml',
      'image/svg+xml',
      'text/css',
      'text/html',
      'text/javascript',
    ])
  })
})

test('every file has what keeps a browser from running it', () => {
  expect(fileHeaders('product/photo/q4/q4.html', 'text/html')).toEqual({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename=q4.html',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  })
  expect(fileHeaders('product/photo/q4/q4.png', 'image/png')).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline; filename=q4.png',
    'x-content-type-options': 'nosniff',
  })
})

test.each([
  ['a/Übersicht 1.png', `inline; filename="?bersicht 1.png"; filename*=UTF-8''%C3%9Cbersicht%201.png`],
  ['a"b.png', String.raw`inline; filename="a\"b.png"`],
  [`it's (1).png`, `inline; filename="it's (1).png"`],
  ['100%41.png', `inline; filename=100%41.png; filename*=UTF-8''100%2541.png`],
])('the name %s', (key, expected) => {
  expect(contentDisposition(key, 'image/png')).toBe(expected)
})

test('no name breaks out of the header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      const value = contentDisposition(name, 'image/png')
      expect(value).toMatch(
        /^inline; filename=(?:[\w!#$&'*+.^`|~%-]+|"(?:[^"\\\r\n]|\\["\\])*")(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]*)?$/,
      )
      const last = name.slice(name.lastIndexOf('/') + 1)
      expect(parse(value).parameters['filename']).toBe(last)
    }),
  )
})
