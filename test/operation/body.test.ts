import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { readJson } from '../../src/operation/body.ts'
import { naming } from '../naming.ts'

const read = (text: string): unknown => readJson(new TextEncoder().encode(text))

const refusal = (text: string | Uint8Array): HttpError => {
  try {
    readJson(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

describe('a JSON body', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(read(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    '9.999999999999999999',
    '9007199254740993',
    '1e400',
    '-1e-400',
    '123456789012345678901234567890',
    '0.1000000000000000055',
  ])('refuses %s, which no double holds, and says where it stands', (number) => {
    const error = refusal(`{"a":[1,{"b/c":${number}}]}`)
    expect(error.status).toBe(422)
    expect(error.errors).toEqual([
      { pointer: '/a/1/b~1c', code: 'imprecise_number', detail: expect.stringMatching(naming(number)) },
    ])
  })

  it.each([
    '9007199254740992',
    '1e21',
    '0.1',
    '1.50',
    '-0',
    '100000000000000000000',
    '0.0000000000000000001',
    '1E+2',
  ])('accepts %s, which a double holds', (number) => {
    expect(read(`[${number}]`)).toEqual([Number(number)])
  })

  it('accepts every number that JavaScript writes, in any notation', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(read(`[${number}]`)).toEqual([Object.is(number, -0) ? 0 : number])
        expect(read(`[${number.toExponential()}]`)).toEqual(JSON.parse(`[${number.toExponential()}]`))
      }),
    )
  })

  it('leaves long digits in a string alone', () => {
    expect(read('{"iban":"12345678901234567890"}')).toEqual({ iban: '12345678901234567890' })
  })

  it.each([
    ['{', 1],
    ['[1', 2],
    ['"abc', 4],
    ['{"a":}', ''],
    ['[1,]', ''],
    ['nul', 3],
    ['{"a":1}x', 7],
    ['\u0000', ''],
  ])('refuses %j as malformed, with the place if the engine tells it', (text, place) => {
    expect(refusal(text)).toMatchObject({ status: 400, code: 'malformed_json' })
    expect(refusal(text).detail).toMatch(place === '' ? /^\D+$/ : naming(place))
  })

  it('refuses an empty body, invalid UTF-8 and deep nesting', () => {
    expect(refusal('  ')).toMatchObject({ status: 400, code: 'malformed_json' })
    expect(refusal(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({
      code: 'malformed_json',
      detail: expect.stringMatching(naming('UTF-8')),
    })
    expect(refusal('['.repeat(200_000) + ']'.repeat(200_000))).toMatchObject({
      code: 'malformed_json',
      detail: expect.stringMatching(naming(100)),
    })
    expect(refusal(`${'[{"a":'.repeat(60)}1${'}]'.repeat(60)}`)).toMatchObject({ code: 'malformed_json' })
    expect(read(`${'['.repeat(100)}${']'.repeat(100)}`)).toBeInstanceOf(Array)
    expect(read(JSON.stringify({ text: '['.repeat(500) }))).toEqual({ text: '['.repeat(500) })
  })
})
