import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { readMultipart } from '../../src/upload/multipart.ts'
import { naming } from '../naming.ts'
import { boundary, contentType, cut, encode, raw } from './encode.ts'
import { type Options, read, readingOf, refusal, sourceOf } from './read.ts'

const text = (content: string) => new Uint8Array(Buffer.from(content))
const file = (name: string, size: number) => ({ name, fileName: 'a.bin', content: new Uint8Array(size) })
const named = 'Content-Disposition: form-data; name="a"'
const one = encode([{ name: 'a', content: text('1') }])
const without = (body: Buffer, bytes: number): Buffer => body.subarray(0, body.length - bytes)

/** Why a body is refused, and the names and limits that the refusal must have. */
interface Reason {
  readonly reason: string
  readonly names?: readonly (string | number)[]
}

const [ended, endedInHead] = [{ reason: 'ended' }, { reason: 'ended in a head' }]
const boundaryInside = { reason: 'boundary inside' }
const disposition = { reason: 'disposition', names: ['Content-Disposition', 'form-data', 'name='] }
const notAHeader = { reason: 'not a header' }

const broken: readonly (readonly [what: string, body: Buffer | string, why: Reason, options?: Options])[] = [
  ['nothing at all', '', ended],
  ['JSON', '{"a":1}', ended],
  ['no last boundary', without(one, boundary.length + 8), ended],
  ['a last boundary cut short', without(one, 4), ended],
  ['a last boundary with one dash', without(one, 3), ended],
  ['a text cut short', raw([named, 'x'.repeat(99)]).subarray(0, 120), ended],
  ['a head cut short', one.subarray(0, 40), ended],
  ['a head without an end', `--${boundary}\r\n${named}\r\n--${boundary}--\r\n`, endedInHead],
  ['no head', `--${boundary}\r\n--${boundary}--\r\n`, { reason: 'no head' }],
  ['a head of nothing', raw(['', 'x']), disposition],
  ['a boundary that goes on', `--${boundary}s\r\n${named}\r\n\r\n1\r\n--${boundary}--`, boundaryInside],
  ['a boundary and one dash', `--${boundary}-\r\n${named}\r\n\r\n1\r\n--${boundary}--`, boundaryInside],
  ['a boundary and many spaces', `--${boundary}${' '.repeat(999)}\r\n`, boundaryInside],
  ['a boundary and a line feed', `--${boundary}\n${named}\n\n1\n--${boundary}--`, boundaryInside],
  ['no disposition', raw(['Content-Type: text/plain', '1']), disposition],
  ['no name', raw(['Content-Disposition: form-data', '1']), disposition],
  ['another disposition', raw(['Content-Disposition: attachment; name="a"', '1']), disposition],
  ['a name without its last quote', raw(['Content-Disposition: form-data; name="a', '1']), disposition],
  [
    'a line break in a name',
    raw(['Content-Disposition: form-data; name="a%0d%0ab"', '1']),
    { reason: 'control character' },
  ],
  ['a line without a colon', raw([`${named}\r\nnothing`, '1']), notAHeader],
  ['a folded line', raw([`${named};\r\n x=y`, '1']), notAHeader],
  ['a control character in a head', raw([`${named}\r\nX-A: \0`, '1']), notAHeader],
  [
    'two dispositions',
    raw([`${named}\r\n${named}`, '1']),
    { reason: 'twice', names: ['content-disposition'] },
  ],
  [
    'a head that is no UTF-8',
    raw([`${named}; x=Q`, '1'])
      .toString()
      .replace('Q', '\u00e4'),
    { reason: 'not UTF-8', names: ['UTF-8'] },
  ],
  [
    'a multipart in a part',
    raw([`${named}\r\nContent-Type: multipart/mixed; boundary=b`, '1']),
    { reason: 'nested' },
  ],
  ['a type that is none', raw([`${named}\r\nContent-Type: png`, '1']), { reason: 'type' }],
  ['base64', raw([`${named}\r\nContent-Transfer-Encoding: base64`, 'MQ==']), { reason: 'encoding' }],
  [
    'a head of 100 kB',
    raw([`${named}\r\nX-A: ${'x'.repeat(100_000)}`, '1']),
    { reason: 'long head', names: [8192] },
  ],
  [
    'a head a byte too long',
    raw([named, '1']),
    { reason: 'head a byte too long', names: [39] },
    { limits: { UPLOAD_HEADER_LIMIT: named.length - 1 } },
  ],
  [
    'many lines in a head',
    raw([`${named}${'\r\nX: 1'.repeat(30)}`, '1']),
    { reason: 'many lines', names: [20] },
  ],
  ['a long name', encode([{ name: 'n'.repeat(256), content: text('1') }]), { reason: 'name', names: [255] }],
  [
    'a long file name',
    encode([{ ...file('a', 1), fileName: 'n'.repeat(256) }]),
    { reason: 'file name', names: [255] },
  ],
]

const cases = broken.map(([what, body, why, options = {}]) => ({ what, body, options, names: [], ...why }))

const bytesOf = (body: Buffer | string): Buffer =>
  typeof body === 'string' ? Buffer.from(body, 'latin1') : body

test.each(cases)('$what is a 400', async ({ body, names, options }) => {
  const bytes = bytesOf(body)
  for (const sizes of [[1], [7, 3], [100_000]]) {
    const error = await refusal(cut(bytes, sizes), options)
    expect(error.detail).toMatch(naming(...names))
    expect(error).toMatchObject({ status: 400, code: 'malformed_multipart' })
  }
})

test('each reason has its own words', async () => {
  const said = new Set<string>()
  const details = new Set<string>()
  for (const { body, reason, options } of cases) {
    const { detail } = await refusal(cut(bytesOf(body), [100_000]), options)
    said.add(`${reason}: ${detail}`)
    details.add(detail)
  }
  const { size } = new Set(cases.map(({ reason }) => reason))
  expect([said.size, details.size]).toEqual([size, size])
})

const heads: readonly (readonly [type: string | undefined, status: number])[] = [
  [undefined, 415],
  ['', 415],
  ['multipart/mixed; boundary=b', 415],
  ['application/json', 415],
  ['multipart/form-data', 400],
  ['multipart/form-data; boundary=', 400],
  ['multipart/form-data; boundary=""', 400],
  ['multipart/form-data; boundary="a\r\nb"', 400],
  [`multipart/form-data; boundary=${'b'.repeat(71)}`, 400],
]

test.each(heads)('the content type %s is a %i, and nothing is read', async (type, status) => {
  const source = sourceOf([one])
  await expect(readMultipart(source, type, readingOf({}))).rejects.toMatchObject({ status })
  expect(source.asked()).toBe(0)
})

test('a boundary may stand in quotes, and its parameter in capitals', async () => {
  expect(
    await read([one], { type: `Multipart/Form-Data; charset=utf-8; Boundary="${boundary}"` }),
  ).toHaveLength(1)
})

const misfits: readonly (readonly [what: string, body: Buffer, code: string, pointer: string])[] = [
  ['a name twice', encode([file('a', 1), { name: 'a', content: text('1') }]), 'repeated', '/a'],
  ['__proto__', encode([{ name: '__proto__', content: text('{}') }]), 'unknown_key', '/__proto__'],
  ['text that is no UTF-8', raw([named, new Uint8Array([0xff])]), 'invalid_format', '/a'],
  [
    'text in latin1',
    raw([`${named}\r\nContent-Type: text/plain; charset=latin1`, 'x']),
    'invalid_format',
    '/a',
  ],
  [
    'a name with a slash twice',
    encode([
      { name: 'a/b~', content: text('1') },
      { name: 'a/b~', content: text('1') },
    ]),
    'repeated',
    '/a~1b~0',
  ],
]

test.each(misfits)('%s is a 422 that names the part', async (_what, body, code, pointer) => {
  const error = await refusal(cut(body, [11]))
  expect(error).toMatchObject({ status: 422, code: 'invalid_body', errors: [{ code, pointer }] })
})

test('where names may repeat, they do', async () => {
  const body = encode([
    { name: 'a', content: text('1') },
    { name: 'a', content: text('2') },
  ])
  expect(await read([body], { repeats: true })).toEqual([
    { name: 'a', text: '1' },
    { name: 'a', text: '2' },
  ])
})

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, content: text('12345') }))
const files = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => file(`f${index}`, size))

const limits: readonly (readonly [
  what: string,
  parts: Parameters<typeof encode>[0],
  limit: NonNullable<Options['limits']>,
  fits: NonNullable<Options['limits']>,
])[] = [
  ['a large file', files(1, 1000), { UPLOAD_FILE_LIMIT: 999 }, { UPLOAD_FILE_LIMIT: 1000 }],
  ['many files', files(3, 10), { UPLOAD_MAX_FILES: 2 }, { UPLOAD_MAX_FILES: 3 }],
  ['many text parts', many(3), { UPLOAD_MAX_FIELDS: 2 }, { UPLOAD_MAX_FIELDS: 3 }],
  ['a long text', many(1), { UPLOAD_TEXT_LIMIT: 4 }, { UPLOAD_TEXT_LIMIT: 5 }],
  ['long texts together', many(3), { UPLOAD_TEXT_LIMIT: 14 }, { UPLOAD_TEXT_LIMIT: 15 }],
]

test.each(limits)('%s is a 413 just above the limit', async (_what, parts, limit, fits) => {
  for (const sizes of [[1], [64], [100_000]]) {
    const error = await refusal(cut(encode(parts), sizes), { limits: limit })
    expect(error).toMatchObject({ status: 413, code: 'body_too_large' })
    expect(await read(cut(encode(parts), sizes), { limits: fits })).toHaveLength(parts.length)
  }
})

test('a whole body is limited, with what follows its last boundary', async () => {
  const body = Buffer.concat([one, Buffer.alloc(1000)])
  expect(await read(cut(body, [64]), { limits: { UPLOAD_BODY_LIMIT: body.length } })).toHaveLength(1)
  const error = await refusal(cut(body, [64]), { limits: { UPLOAD_BODY_LIMIT: body.length - 1 } })
  expect(error).toMatchObject({ status: 413 })
})

test('a limit ends the reading where it stands', async () => {
  const source = sourceOf(cut(encode(files(1, 100_000)), [1000]))
  const reading = readingOf({ limits: { UPLOAD_FILE_LIMIT: 2500 } })
  await expect(readMultipart(source, contentType, reading)).rejects.toBeInstanceOf(HttpError)
  expect(source.asked()).toBeLessThanOrEqual(4)
  expect(source.released()).toBe(true)
})

test('a file that nobody has chosen is no part; an empty one with a name is', async () => {
  const body = encode([
    { name: 'a', fileName: '', type: 'application/octet-stream', content: text('') },
    { name: 'b', fileName: 'empty.txt', content: text('') },
    { name: 'c', fileName: '', content: text('unnamed') },
  ])
  expect(await read([body])).toEqual([
    { name: 'b', fileName: 'empty.txt', type: undefined, bytes: Buffer.from('') },
    { name: 'c', fileName: '', type: undefined, bytes: Buffer.from('unnamed') },
  ])
})

test('a caller says itself which parts are files', async () => {
  const body = encode([{ name: 'cover', type: 'image/png', content: text('png') }])
  expect(await read([body])).toEqual([{ name: 'cover', text: 'png' }])
  expect(await read([body], { isFile: ({ name }) => name === 'cover' })).toEqual([
    { name: 'cover', fileName: undefined, type: 'image/png', bytes: Buffer.from('png') },
  ])
})
