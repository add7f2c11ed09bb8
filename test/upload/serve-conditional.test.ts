import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileResponseOf } from '../../src/upload/serve.ts'

const file = { size: 10, etag: '"abc"', modified: new Date('1994-11-06T08:49:37.500Z') }
const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
const before = 'Sun, 06 Nov 1994 08:49:36 GMT'
const after = 'Sun, 06 Nov 1994 08:49:38 GMT'

const asked = (headers: Readonly<Record<string, string>>, method = 'GET') =>
  fileResponseOf({ method, header: (name) => headers[name] }, file)

const validators = { etag: '"abc"', 'last-modified': date }

test('the whole file', () => {
  expect(asked({})).toEqual({
    status: 200,
    headers: { ...validators, 'accept-ranges': 'bytes', 'content-length': '10' },
  })
})

test('a part of it', () => {
  expect(asked({ range: 'bytes=2-5' })).toEqual({
    status: 206,
    headers: {
      ...validators,
      'accept-ranges': 'bytes',
      'content-length': '4',
      'content-range': 'bytes 2-5/10',
    },
    span: { first: 2, last: 5 },
  })
})

test('a part that it does not have', () => {
  expect(asked({ range: 'bytes=10-' })).toEqual({
    status: 416,
    headers: { 'accept-ranges': 'bytes', 'content-range': 'bytes */10' },
  })
})

test('nothing that the client has already', () => {
  expect(asked({ 'if-none-match': '"abc"' })).toEqual({ status: 304, headers: validators })
})

test('HEAD has no range', () => {
  expect(asked({ range: 'bytes=2-5' }, 'HEAD').status).toBe(200)
  expect(asked({ range: 'bytes=10-' }, 'HEAD').status).toBe(200)
  expect(asked({ 'if-none-match': '"abc"' }, 'HEAD').status).toBe(304)
})

describe('If-None-Match', () => {
  test.each([
    ['"abc"', 304],
    ['W/"abc"', 304],
    ['"x", "abc"', 304],
    ['"x","abc","y"', 304],
    ['"a,b", W/"abc"', 304],
    ['*', 304],
    ['"x"', 200],
    ['"ABC"', 200],
    ['abc', 200],
    ['"*"', 200],
    ['"x, "abc', 200],
    ['', 200],
  ])('%s', (header, status) => {
    expect(asked({ 'if-none-match': header }).status).toBe(status)
  })

  test('comes before If-Modified-Since and Range', () => {
    expect(asked({ 'if-none-match': '"x"', 'if-modified-since': after }).status).toBe(200)
    expect(asked({ 'if-none-match': '"abc"', 'if-modified-since': before }).status).toBe(304)
    expect(asked({ 'if-none-match': '"abc"', range: 'bytes=0-1' }).status).toBe(304)
    expect(asked({ 'if-none-match': '"abc"', range: 'bytes=99-' }).status).toBe(304)
    expect(asked({ 'if-none-match': '"x"', range: 'bytes=0-1' }).status).toBe(206)
  })
})

describe('If-Modified-Since', () => {
  test.each([
    [date, 304],
    [after, 304],
    [before, 200],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 304],
    ['Sunday, 06-Nov-94 08:49:36 GMT', 200],
    ['Sun, 06 Nov 2100 28:49:37 GMT', 200],
    ['tomorrow', 200],
    ['', 200],
  ])('%s', (header, status) => {
    expect(asked({ 'if-modified-since': header }).status).toBe(status)
  })
})

describe('If-Range', () => {
  test.each([
    ['"abc"', 206],
    [date, 206],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 200],
    ['"x"', 200],
    ['W/"abc"', 200],
    [before, 200],
    [after, 200],
    ['abc', 200],
    ['', 200],
  ])('%s', (header, status) => {
    expect(asked({ 'if-range': header, range: 'bytes=0-1' }).status).toBe(status)
  })

  test('of another version, a part that is not there is the whole file', () => {
    expect(asked({ 'if-range': '"x"', range: 'bytes=99-' }).status).toBe(200)
    expect(asked({ 'if-range': '"abc"', range: 'bytes=99-' }).status).toBe(416)
  })
})

test('whatever is sent, the reply fits together', () => {
  const value = fc.option(
    fc.oneof(fc.string(), fc.constantFrom(date, after, '"abc"', 'bytes=0-3', 'bytes=-1', '*')),
    {
      nil: undefined,
    },
  )
  const names = ['range', 'if-range', 'if-none-match', 'if-modified-since']
  fc.assert(
    fc.property(fc.tuple(value, value, value, value), fc.nat({ max: 20 }), (values, size) => {
      const header = (name: string) => values[names.indexOf(name)]
      const { status, headers, span } = fileResponseOf({ method: 'GET', header }, { ...file, size })
      expect(span === undefined).toBe(status !== 206)
      if (span !== undefined) expect(Number(headers['content-length'])).toBe(span.last - span.first + 1)
      if (status === 200) expect(headers['content-length']).toBe(`${size}`)
      if (status === 304) expect(headers['content-length']).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})
