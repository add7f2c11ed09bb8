import { Buffer } from 'node:buffer'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { bytesOfWeb } from '../../src/host/fetch/answer.ts'
import { nodeBody } from '../../src/host/node/request.ts'
import { readMultipart } from '../../src/upload/multipart.ts'
import { skipWithout, tag } from '../needed-program.ts'
import { boundary, cut, encode, type Sent } from './encode.ts'
import { type Read, read, readingOf, readPart } from './read.ts'

/** Bytes that look like the beginning of a boundary, among others. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '\r',
          '\n',
          '\r\n',
          '-',
          '--',
          '\r\n--',
          `\r\n--${boundary.slice(0, 9)}`,
          `--${boundary}`,
          'x',
          '\0',
        ],
      ),
      { maxLength: 12 },
    )
    .map((pieces) => new Uint8Array(Buffer.from(pieces.join(''))))
    .filter((bytes) => !`\r\n${Buffer.from(bytes).toString('latin1')}`.includes(`\r\n--${boundary}`)),
)
const seen = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => !/\p{C}|\p{Zl}|\p{Zp}/u.test(text) && text !== '__proto__')
const fileName = seen.filter((name) => !/[/\\]|^\.+$/.test(name) && name.trim() === name)
const part: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({ name: seen, content: seen.map((text) => new Uint8Array(Buffer.from(text))) }),
  fc.record({
    name: seen,
    fileName,
    type: fc.constantFrom('image/png', 'application/octet-stream', 'Text/Plain; charset=latin1'),
    content,
  }),
)
const parts = fc.uniqueArray(part, { maxLength: 6, selector: ({ name }) => name })
const sizes = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
  fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
)

const expected = ({ name, fileName: file, type, content: bytes }: Sent): Read =>
  file === undefined
    ? { name, text: Buffer.from(bytes).toString() }
    : { name, fileName: file, type: type?.split(';')[0]?.toLowerCase(), bytes: Buffer.from(bytes) }

test('any parts come out byte for byte, however the body is cut', async () => {
  await fc.assert(
    fc.asyncProperty(parts, sizes, async (sent, pieces) => {
      expect(await read(cut(encode(sent), pieces))).toEqual(sent.map(expected))
    }),
    { numRuns: 300 },
  )
})

test('a body with a preamble and an epilogue is read as well', async () => {
  await fc.assert(
    fc.asyncProperty(parts, sizes, content, async (sent, pieces, around) => {
      const body = Buffer.concat([around, Buffer.from('\r\n'), encode(sent), around])
      expect(await read(cut(body, pieces))).toEqual(sent.map(expected))
    }),
    { numRuns: 100 },
  )
})

const mutation = fc.record({
  at: fc.nat({ max: 100_000 }),
  act: fc.constantFrom('change', 'cut', 'drop', 'insert', 'repeat'),
  bytes: fc.oneof(fc.uint8Array({ maxLength: 6 }), fc.constant(new Uint8Array(Buffer.from('\r\n')))),
})

const mutated = (
  body: Buffer,
  { at, act, bytes }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
) => {
  const place = body.length === 0 ? 0 : at % body.length
  const [before, after] = [body.subarray(0, place), body.subarray(place)]
  const acts = {
    change: () => Buffer.concat([before, bytes, after.subarray(bytes.length)]),
    cut: () => before,
    drop: () => Buffer.concat([before, after.subarray(1 + bytes.length)]),
    insert: () => Buffer.concat([before, bytes, after]),
    repeat: () => Buffer.concat([before, after.subarray(0, 40), after]),
  }
  return acts[act]()
}

test('a broken body is read or refused by a 4xx; it never hangs, and no stream is left open', async () => {
  const outcomes = { read: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      parts,
      sizes,
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      async (sent, pieces, all) => {
        const body = all.reduce(mutated, encode(sent))
        let open = 0
        try {
          await read(cut(body, pieces), {
            onPart: () => {
              open += 1
            },
          }).then((found) => {
            open -= found.length
          })
          outcomes.read += 1
          expect(open).toBe(0)
        } catch (error) {
          expect(error).toBeInstanceOf(HttpError)
          expect((error as HttpError).status).toBeGreaterThanOrEqual(400)
          expect((error as HttpError).status).toBeLessThan(500)
          outcomes.refused += 1
        }
      },
    ),
    { numRuns: 500 },
  )
  expect(outcomes.read).toBeGreaterThan(0)
  expect(outcomes.refused).toBeGreaterThan(0)
})

test("undici's FormData comes out as it was", async () => {
  await fc.assert(
    fc.asyncProperty(parts, async (sent) => {
      const form = new FormData()
      for (const { name, fileName: file, type, content: bytes } of sent) {
        const whole = new Uint8Array(bytes)
        if (file === undefined) form.append(name, Buffer.from(bytes).toString())
        else form.append(name, new File([whole], file, { type: type ?? '' }))
      }
      const request = new Request('http://localhost/', { method: 'POST', body: form })
      const found: Read[] = []
      await readMultipart(bytesOfWeb(request.body), request.headers.get('content-type') ?? '', {
        ...readingOf({}),
        onPart: async (one) => {
          found.push(await readPart(one))
        },
      })
      expect(found).toEqual(sent.map(expected))
    }),
    { numRuns: 100 },
  )
})

test('what curl sends is read', { tags: [tag] }, async (context) => {
  skipWithout(context, 'curl')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-curl-'))
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256))
  const found: Read[] = []
  const server = createServer((request, response) => {
    const reading = {
      ...readingOf({}),
      onPart: async (one: Parameters<typeof readPart>[0]) => {
        found.push(await readPart(one))
      },
    }
    readMultipart(nodeBody(request).bytes(), request.headers['content-type'], reading).then(
      () => response.end('read'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const path = join(folder, 'größe ß.png')
    writeFileSync(path, bytes)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const form = ['-F', `cover=@${path};type=image/png`, '-F', 'title=größer & "so"']
    const { stdout } = await promisify(execFile)('curl', ['-sS', ...form, '-F', 'empty=', url])
    expect(stdout).toBe('read')
    expect(found.map(({ bytes: _bytes, ...more }) => more)).toEqual([
      { name: 'cover', fileName: 'größe ß.png', type: 'image/png' },
      { name: 'title', text: 'größer & "so"' },
      { name: 'empty', text: '' },
    ])
    expect(found[0]?.bytes?.equals(bytes)).toBe(true)
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})
