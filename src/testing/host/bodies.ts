import { has, names, same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import type { Answer } from './client.ts'
import { limit } from './operations.ts'
import type { HostSubject } from './subject.ts'

const problem = 'application/problem+json'
const json = { 'content-type': 'application/json' }
const large = Buffer.alloc(6 * 1024 * 1024, 'x')

/** The paths of operations that respond before they read the body, and their status. */
const unread: readonly (readonly [string, number])[] = [
  ['/refused/', 415],
  ['/refused-later/', 403],
]

/** Asserts how bodies are read that operations want as a whole. */
export const bodiesPart = ({ runner: { describe, it }, ask }: HostSubject): void => {
  const post = (path: string, body: Uint8Array | string, more = {}): Promise<Answer> =>
    ask('POST', path, { body, headers: json, ...more })

  describe('bodies', () => {
    it('random bodies reach the operation unchanged, whatever their media type', async () => {
      const fc = await fastCheck()
      const types = fc.constantFrom({}, json, { 'content-type': 'multipart/form-data; boundary=x' })
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: limit }),
          fc.boolean(),
          types,
          async (body, chunked, headers) => {
            const reply = await ask('POST', '/items/', { body, chunked, headers })
            const wrong = 'RequestBody.whole must return the bytes that the client sent.'
            same([reply.status, [...reply.bytes]], [200, [...body]], wrong)
          },
        ),
        { numRuns: 100 },
      )
    })

    it('a missing body is empty', async () => {
      const replies = [
        await ask('POST', '/items/'),
        await ask('POST', '/items/', { headers: json }),
        await ask('PUT', '/items/7', { headers: { 'content-length': '0' } }),
      ]
      const read = replies.map(({ status, text }) => [status, text])
      const wrong = 'RequestBody.whole must return no bytes if the client sends none.'
      same(
        read,
        replies.map(() => [200, '']),
        wrong,
      )
    })

    it('an operation may wait before and after it reads the body', async () => {
      const reply = await post('/waits/', 'abc')
      same(
        [reply.status, reply.headers.location, reply.json],
        [201, '/waits/1', ['before', 3, 'after']],
        'The host must wait for the promises that start and resume return.',
      )
    })

    for (const size of [limit + 1, large.length])
      it(`a body of ${size} bytes without a declared length is 413`, async () => {
        const reply = await post('/items/', large.subarray(0, size), { chunked: true })
        const wrong = 'RequestBody.whole must stop at bounds.limit, as collectBody does.'
        same([reply.status, reply.headers['content-type']], [413, problem], wrong)
        has(reply.json, { code: 'body_too_large' }, wrong)
        names(reply.json['detail'], [limit], 'The problem must name the limit.')
      })

    it('a body of exactly the limit is accepted', async () => {
      const sent = large.subarray(0, limit)
      const wrong = 'RequestBody.whole must accept bounds.limit bytes.'
      same([...(await post('/items/', sent, { chunked: true })).bytes], [...sent], wrong)
      same([...(await post('/items/', sent)).bytes], [...sent], wrong)
    })

    it('a body whose declared length exceeds the limit is 413', async () => {
      const wrong = 'RequestBody.whole must stop at bounds.limit, as collectBody does.'
      same((await post('/items/', large)).status, 413, wrong)
    })

    for (const [path, status] of unread)
      it(`a client receives the response although ${path} does not read its body`, async () => {
        const replies = [
          await post(path, ''),
          await post(path, '{}'),
          await post(path, large),
          await post(path, large, { chunked: true }),
        ]
        same(
          replies.map((reply) => reply.status),
          replies.map(() => status),
          'The server must send the response, and read and discard the rest of the body.',
        )
      })

    for (const mediaType of ['application/json', 'multipart/form-data; boundary=x', 'text/plain'])
      it(`operations without a body ignore one of ${mediaType}`, async () => {
        const headers = { 'content-type': mediaType }
        const wrong = 'The server must not parse or refuse a body that the operation does not declare.'
        same((await ask('DELETE', '/items/7', { body: '{"a":', headers })).status, 204, wrong)
        same((await ask('DELETE', '/items/7', { body: large, headers })).status, 204, wrong)
      })
  })
}
