import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageTypes } from '../../src/upload/keys.ts'
import { fileTypeOf, imageTypeOf, sniff } from '../../src/upload/uploads.ts'
import { naming } from '../naming.ts'
import { cut, encode } from './encode.ts'
import { read, wholeOf } from './read.ts'
import { samples } from './samples.ts'

type Sample = keyof typeof samples

const images: readonly (readonly [Sample, string | undefined])[] = [
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['exif', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
  ['svg', undefined],
  ['prologue', undefined],
  ['html', undefined],
  ['script', undefined],
  ['pdf', undefined],
  ['wav', undefined],
  ['mp4', undefined],
  ['empty', undefined],
]

test.each(images)('%s is the image %s', (sample, type) => {
  expect(imageTypeOf(samples[sample])).toBe(type)
})

const files: readonly (readonly [Sample, declared: string | undefined, type: string])[] = [
  ['png', 'text/html', 'image/png'],
  ['pdf', 'image/png', 'application/pdf'],
  ['svg', 'image/png', 'image/svg+xml'],
  ['mp4', undefined, 'video/mp4'],
  ['zip', undefined, 'application/zip'],
  ['zip', 'text/plain', 'application/zip'],
  [
    'zip',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['text', 'text/plain', 'text/plain'],
  ['text', undefined, 'application/octet-stream'],
  ['text', 'nonsense', 'application/octet-stream'],
  ['script', 'image/png', 'application/octet-stream'],
  ['html', 'video/mp4', 'application/octet-stream'],
  ['html', 'text/html', 'text/html'],
  ['empty', 'text/csv', 'text/csv'],
]

test.each(files)('%s, declared as %s, is %s', (sample, declared, type) => {
  expect(fileTypeOf(samples[sample], declared)).toBe(type)
})

test.each([
  [[0xef, 0xbb, 0xbf], 'text/csv', 'text/csv'],
  [[0xfe, 0xff], 'text/csv', 'text/csv'],
  [[0xff, 0xfe], undefined, 'application/octet-stream'],
])('text that begins with the byte order mark %j, declared as %s, is %s', (mark, declared, type) => {
  expect(fileTypeOf(Buffer.concat([Buffer.from(mark), Buffer.from('id;name')]), declared)).toBe(type)
})

test('any bytes have a type, and no image is found without its signature', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(fileTypeOf(bytes)).toMatch(/^[\w.+-]+\/[\w.+-]+$/)
      expect(imageTypeOf(Buffer.concat([Buffer.from('<script>'), bytes]))).toBeUndefined()
    }),
  )
})

test.each(imageTypes)('a script that is declared as %s is no image', async (type) => {
  const sent = encode([{ name: 'cover', fileName: 'cover.png', type, content: samples.script }])
  const done = read([sent], {
    onPart: async (part) => {
      if (part.kind === 'file') await sniff(part, 'image')
    },
  })
  await expect(done).rejects.toMatchObject({
    status: 422,
    code: 'invalid_body',
    errors: [
      {
        pointer: '/cover',
        code: 'invalid_format',
        detail: expect.stringMatching(naming('PNG', 'JPEG', 'GIF', 'WebP', 'AVIF')),
      },
    ],
  })
})

test('all bytes of a file come after its type is known, however they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 10_000 }),
      fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 3 }),
      async (more, sizes) => {
        const content = Buffer.concat([samples.png, Buffer.alloc(more, 7)])
        const found: { type: string; bytes: Buffer }[] = []
        const sent = encode([{ name: 'cover', fileName: 'a', type: 'text/html', content }])
        await read(cut(sent, sizes), {
          onPart: async (part) => {
            if (part.kind !== 'file') return
            const { type, bytes } = await sniff(part, 'image')
            found.push({ type, bytes: await wholeOf(bytes) })
          },
        })
        expect(found).toEqual([{ type: 'image/png', bytes: content }])
      },
    ),
    { numRuns: 50 },
  )
})

test('a file of which the client goes away fails as its stream does', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield encode([{ name: 'cover', fileName: 'a', content: samples.png }]).subarray(0, 150)
    throw new Error('ECONNRESET')
  }
  const done = read(broken(), {
    onPart: async (part) => {
      if (part.kind === 'file') await sniff(part, 'file')
    },
  })
  await expect(done).rejects.toMatchObject({ status: 400, cause: { message: 'ECONNRESET' } })
})

test('a storage gets no small pieces, however small those are that a client sends', async () => {
  const content = Buffer.concat([samples.png, Buffer.alloc(100_000, 'x')])
  async function* singly(): AsyncGenerator<Uint8Array> {
    for (const byte of content) yield Uint8Array.of(byte)
  }
  const part = {
    kind: 'file',
    name: 'a',
    fileName: 'a.png',
    declaredType: undefined,
    bytes: singly(),
  } as const
  const pieces: Uint8Array[] = []
  for await (const piece of (await sniff(part, 'image')).bytes) pieces.push(piece)
  expect(Buffer.concat(pieces).equals(content)).toBe(true)
  for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeGreaterThanOrEqual(16_384)
})
