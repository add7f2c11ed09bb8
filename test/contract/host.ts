import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ProblemCode, problemCodes } from '../../src/error/codes.ts'
import { HeadCall } from '../../src/host/call.ts'
import type { Host } from '../../src/host/host.ts'
import { type Serve, serveWith } from '../../src/host/serve.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { runAsync, runSync, wait } from '../../src/operation/steps.ts'
import { naming } from '../naming.ts'
import { hostFormContract } from './host-forms.ts'
import { cookies, limit, operation, operations } from './host-operations.ts'
import { exchange, leave, send } from './http-client.ts'

/** A server that listens on 127.0.0.1. */
export interface Running {
  readonly port: number
  /** What `attach` gave. */
  readonly host: Host
  stop(): Promise<void>
}

/** Starts a host with operations under a base. */
export type StartHost = (base: string, operations: readonly Operation[], serve: Serve) => Promise<Running>

/** What a host declares that it cannot do. */
export interface Deviations {
  /** `.` and `..` are read as they came, not resolved. */
  readonly keepsDotSegments: boolean
}

const problem = 'application/problem+json'
const large = Buffer.alloc(20 * 1024 * 1024, 'x')

/** What every host does, over real sockets. */
export const hostContract = (name: string, start: StartHost, deviations: Deviations): void => {
  describe.each(['/api', ''])(`${name} under "%s"`, (base) => {
    let server: Running
    const lines: string[] = []
    const seenAgain = operation('GET', '/seen-again/{id}', function* (call) {
      yield* wait(undefined)
      const head = server.host.headOf(call.request)
      const again = head && new HeadCall(head)
      const { method, path, query, params, address } = again ?? {}
      const headers = [again?.header('authorization') ?? null, again?.header('x-told') ?? null]
      const isSame = [again?.request === call.request, typeof again?.requestId]
      const body = JSON.stringify({ method, path, query, params, address, headers, isSame })
      return { status: 200, headers: {}, body }
    })
    const ask = (method: string, path: string, sent = {}) => send(server.port, method, base + path, sent)

    beforeAll(async () => {
      vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
      server = await start(base, [...operations, seenAgain], serveWith(runAsync))
    })
    afterAll(async () => {
      vi.restoreAllMocks()
      await server.stop()
    })

    describe('paths', () => {
      it.each([
        ['/items/', 'items', {}],
        ['/items', 'items', {}],
        ['/items/special', 'special', {}],
        ['/items/special/', 'special', {}],
        ['/items/7', 'item', { id: '7' }],
        ['/items/7/', 'item', { id: '7' }],
        ['/items/a%2Cb,c', 'item', { id: 'a%2Cb,c' }],
        ['/items/a%2Fb', 'item', { id: 'a%2Fb' }],
        ['/items/%C3%A9%20', 'item', { id: '%C3%A9%20' }],
        ['/items/100%25', 'item', { id: '100%25' }],
        ['/items/a;b=c', 'item', { id: 'a;b=c' }],
        ['/items/a:b@c', 'item', { id: 'a:b@c' }],
        ['/%69tems/7', 'item', { id: '7' }],
        ['/items/Special', 'item', { id: 'Special' }],
        [`/items/${'x'.repeat(8000)}`, 'item', { id: 'x'.repeat(8000) }],
        [`/items/${'%2C'.repeat(400)}/`, 'item', { id: '%2C'.repeat(400) }],
        ['/items/7/parts/8', 'part', { id: '7', part: '8' }],
        [
          `/items/${'x'.repeat(300)}/parts/${'y'.repeat(300)}/`,
          'part',
          { id: 'x'.repeat(300), part: 'y'.repeat(300) },
        ],
      ])('%s', async (path, as, params) => {
        const reply = await ask('GET', path)
        expect(reply.status, reply.text).toBe(200)
        expect(reply.json).toEqual({
          ...{ as, method: 'GET', path: base + path, params, query: '', header: null, id: 'string' },
        })
      })

      it.each(['', 'a=1', 'q=a%26b&q=%zz&x=+1', 'a?b=/c', '=', '%00'])('query %j', async (query) => {
        expect((await ask('GET', `/items/?${query}`)).json).toMatchObject({ path: `${base}/items/`, query })
        expect((await ask('GET', `/items?${query}`)).json).toMatchObject({ path: `${base}/items`, query })
      })

      it('gives any id and any query as they were sent', async () => {
        const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).map(encodeURIComponent)
        const query = fc.stringMatching(/^[\w%&=+.,;:@!$()*/?~-]*$/)
        await fc.assert(
          fc.asyncProperty(id, query, async (sentId, sentQuery) => {
            fc.pre(deviations.keepsDotSegments || !/^\.{1,2}$/.test(sentId))
            const reply = await ask('GET', `/items/${sentId}?${sentQuery}`)
            if (sentId === 'special') return
            expect(reply.json).toMatchObject({ params: { id: sentId }, query: sentQuery })
          }),
          { numRuns: 200 },
        )
      })

      it('keeps or resolves dot segments as it declares', async () => {
        const reply = await ask('GET', '/items/.')
        expect(reply.json).toMatchObject(
          deviations.keepsDotSegments ? { params: { id: '.' } } : { as: 'items' },
        )
      })

      it.each(['/items//', '/items//parts/8', '/items/7/parts//'])(
        '404 for an empty parameter: %s',
        async (path) => {
          expect((await ask('GET', path)).status).toBe(404)
        },
      )

      it.each(['/nothing', '/items/7/8', '/items/7/parts', '/Items/', '/items/7//', '/item'])(
        '404 for a path that is none: %s',
        async (path) => {
          expect((await ask('GET', path)).status).toBe(404)
          expect((await ask('POST', path, { body: 'x' })).status).toBe(404)
        },
      )
    })

    describe('methods', () => {
      it.each([
        ['PUT', '/items/', 'GET, HEAD, POST'],
        ['DELETE', '/items', 'GET, HEAD, POST'],
        ['POST', '/items/7', 'GET, HEAD, PUT, DELETE'],
        ['PATCH', '/items/7/', 'GET, HEAD, PUT, DELETE'],
        ['PATCH', `/items/${'x'.repeat(500)}`, 'GET, HEAD, PUT, DELETE'],
        ['HEAD', '/waits/', 'POST'],
        ['GET', '/waits/', 'POST'],
        ['QUERY', '/items/', 'GET, HEAD, POST'],
      ])('%s %s is a 405', async (method, path, allow) => {
        const reply = await ask(method, path, { body: '{', headers: { 'content-type': 'nonsense' } })
        expect([reply.status, reply.headers['allow'], reply.headers['content-type']]).toEqual([
          405,
          allow,
          problem,
        ])
        if (method === 'HEAD') return
        expect(reply.json).toEqual({
          type: 'urn:modelrest:problem:method_not_allowed',
          title: problemCodes.method_not_allowed.title,
          status: 405,
          detail: expect.stringMatching(naming(method, ...allow.split(', '))),
          instance: base + path,
          code: 'method_not_allowed',
        })
      })

      it.each(['/items/', '/items/7', '/nothing'])('never claims OPTIONS %s', async (path) => {
        const reply = await ask('OPTIONS', path, { headers: { 'access-control-request-method': 'GET' } })
        expect([reply.status, reply.headers['allow']]).toEqual([404, undefined])
      })

      it.each([
        '/items/',
        '/items',
        '/items/7',
        '/items/7/',
        `/items/${'x'.repeat(500)}`,
        '/plain.txt',
        '/gone',
      ])('HEAD %s is GET without a body', async (path) => {
        const [head, get] = [await ask('HEAD', path), await ask('GET', path)]
        const sameLength = get.text.includes('"GET"')
          ? { 'content-length': String(get.bytes.length + 1) }
          : {}
        expect([head.status, head.headers, head.text]).toEqual([
          get.status,
          { ...get.headers, ...sameLength },
          '',
        ])
      })
    })

    describe('replies', () => {
      it('sends bytes, status and headers as they are', async () => {
        const reply = await ask('GET', '/plain.txt')
        expect([reply.status, reply.headers, reply.text]).toEqual([
          200,
          { 'content-type': 'text/plain', 'content-length': '2', etag: '"1"' },
          'Hi',
        ])
      })

      it('adds nothing to a JSON media type', async () => {
        expect((await ask('GET', '/items/', { headers: { 'x-told': 'é' } })).headers).toEqual({
          'content-type': 'application/json',
          'content-length': expect.any(String),
        })
      })

      it('sends no body where there is none', async () => {
        const [removed, same] = [await ask('DELETE', '/items/7'), await ask('GET', '/same')]
        expect([removed.status, removed.headers, removed.text]).toEqual([204, {}, ''])
        expect([same.status, same.headers, same.text]).toEqual([304, { etag: '"1"' }, ''])
      })

      it('gives headers to the operation by their lower-case name', async () => {
        const reply = await ask('GET', '/items/', { headers: { 'X-Told': 'yes' } })
        expect(reply.json).toMatchObject({ header: 'yes' })
      })
    })

    describe('several headers of one name', () => {
      it('are sent as several lines, for every request the same', async () => {
        for (const method of ['GET', 'GET', 'HEAD']) {
          const reply = await ask(method, '/cookies')
          expect([reply.headers['set-cookie'], reply.headers['link']]).toEqual([cookies, '</a>, </b>'])
        }
        expect((await ask('GET', '/cookie')).headers['set-cookie']).toEqual(['a=1'])
      })

      const authorizations = (lines: string, method = 'GET') =>
        exchange(
          server.port,
          `${method} ${base}/who HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${lines}\r\n`,
          (text) => text.includes('}'),
        ).then((text) => JSON.parse(/{.*}/.exec(text)?.[0] ?? '').authorization)

      it.each(['GET', 'POST'])('are read together, Authorization too: %s', async (method) => {
        const one = 'Authorization: Bearer a\r\n'
        expect(await authorizations('', method)).toBe(null)
        expect(await authorizations(one, method)).toBe('Bearer a')
        expect(await authorizations('Authorization:\r\n', method)).toBe('')
        expect(await authorizations(`${one}AUTHORIZATION: Bearer b\r\n`, method)).toBe('Bearer a, Bearer b')
        expect(await authorizations(`${one}X-A: 1\r\n${one}${one}`, method)).toBe(
          'Bearer a, Bearer a, Bearer a',
        )
      })
    })

    describe('the client', () => {
      it('is known by the address of its connection, whatever it says of itself', async () => {
        const headers = {
          'x-forwarded-for': '203.0.113.9',
          'x-real-ip': '203.0.113.9',
          forwarded: 'for=203.0.113.9',
        }
        expect((await ask('GET', '/who', { headers })).json['address']).toBe('127.0.0.1')
        expect((await ask('POST', '/who', { headers, body: '{}' })).json['address']).toBe('127.0.0.1')
      })

      it('is known by the host that it asked for', async () => {
        const headers = { host: 'shop.example:8080' }
        expect((await ask('GET', '/asked', { headers })).json['host']).toBe('shop.example:8080')
      })

      it('is known of a request of the host, too', async () => {
        const headers = { authorization: 'Bearer a', 'x-told': 'yes' }
        expect((await ask('GET', '/seen-again/7?a=%26', { headers })).json).toEqual({
          ...{
            method: 'GET',
            path: `${base}/seen-again/7`,
            query: 'a=%26',
            params: {},
            address: '127.0.0.1',
          },
          ...{ headers: ['Bearer a', 'yes'], isSame: [true, 'string'] },
        })
        for (const other of [
          undefined,
          null,
          1,
          'x',
          {},
          { url: '/', headers: {} },
          { raw: null, originalUrl: '/' },
        ])
          expect(server.host.headOf(other)).toBe(undefined)
      })
    })

    describe('the log', () => {
      const written = async (line: string, details: object): Promise<string> => {
        lines.length = 0
        const reply = await ask('POST', '/logs/', { body: JSON.stringify({ line, details }) })
        expect(reply.status).toBe(204)
        return lines.join('')
      }

      it('has the details behind their line, and the request', async () => {
        const [info, warn, error, ...stack] = (await written('login', { user: 'ada', n: 7 })).split('\n')
        const id = /"request_id":"([\w-]+)"/.exec(info ?? '')?.[1]
        expect([info, warn, error]).toEqual([
          `login {"request_id":"${id}"}`,
          `login {"user":"ada","n":7,"request_id":"${id}"}`,
          expect.stringMatching(naming('login', `${id}`, 'Error: login')),
        ])
        expect(stack.join('\n')).toMatch(/^ +at .*\n[\s\S]*\n {2}caused by Error: login\n +at /)
      })

      it('has no line that a client wrote', async () => {
        const breaks = ['\n', '\r\n', '\r', '\u000b', '\u0085', '\u2028', '\u2029', '\u001b[1A']
        for (const between of breaks) {
          const text = await written(`login${between}forged`, { user: `ada${between}forged` })
          const began = text.split(/[\p{Cc}\u2028\u2029]/u).filter((line) => /^\S/.test(line))
          expect(began, JSON.stringify(between)).toEqual([
            expect.stringMatching(/^login\\u.*forged {"request_id":"[\w-]+"}$/),
            expect.stringMatching(/^login\\u.*forged {"user":"ada\\.*forged","request_id":"[\w-]+"}$/),
            expect.stringMatching(/^login\\u.*forged\b.* [\w-]+: Error: login/),
          ])
        }
      })
    })

    describe('errors', () => {
      const refusal = (path: string, status: number, code: ProblemCode, detail: string) => ({
        ...{ type: `urn:modelrest:problem:${code}`, title: problemCodes[code].title, status, detail },
        ...{ instance: base + path, code },
      })

      it('an HttpError answers as it says', async () => {
        const reply = await ask('GET', '/gone')
        expect(reply.headers).toMatchObject({ 'content-type': problem, 'x-why': 'time' })
        expect(reply.json).toEqual(refusal('/gone', 410, 'rejected', 'It is gone.'))
      })

      it('a ValueError is a 400', async () => {
        const reply = await ask('GET', '/rejected')
        expect(reply.json).toEqual(refusal('/rejected', 400, 'rejected', 'Never on Sundays.'))
      })

      it.each([
        ['GET', '/broken', /\bsecret$/m],
        ['GET', '/broken-later', /secret later/],
        ['POST', '/fails-after/', /secret after/],
        ['POST', '/undeclared-body/', /Error: .+\n +at /],
        ['POST', '/two-bodies/', /Error: .+\n +at /],
      ])('anything else is an opaque 500, %s %s', async (method, path, message) => {
        lines.length = 0
        const reply = await ask(method, path, method === 'POST' ? { body: '{}' } : {})
        expect([reply.status, reply.headers['content-type']]).toEqual([500, problem])
        expect(reply.json).toEqual({
          ...refusal(path, 500, 'internal_error', expect.stringMatching(/./) as string),
          request_id: expect.stringMatching(/./),
        })
        expect(reply.text).not.toMatch(/secret|Error:/)
        const log = lines.join('')
        expect(log).toMatch(naming(`${method} ${base}${path}`, String(reply.json['request_id'])))
        expect(log).toMatch(message)
      })

      it('a reply that cannot be sent is a 500', async () => {
        const reply = await ask('GET', '/bad-header')
        expect([reply.status, reply.headers['x-bad']]).toEqual([500, undefined])
        expect((await ask('GET', '/items/')).status).toBe(200)
      })
    })

    describe('bodies', () => {
      const type = { 'content-type': 'application/json' }
      const post = (path: string, body: Uint8Array | string, more = {}) =>
        ask('POST', path, { body, headers: type, ...more })

      it('come as the bytes that were sent, whatever their type', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.uint8Array({ maxLength: limit }),
            fc.boolean(),
            fc.constantFrom({}, type, { 'content-type': 'multipart/form-data; boundary=x' }),
            async (body, chunked, headers) => {
              const reply = await ask('POST', '/items/', { body, chunked, headers })
              expect([reply.status, [...reply.bytes]]).toEqual([200, [...body]])
            },
          ),
          { numRuns: 100 },
        )
      })

      it('are empty where none was sent', async () => {
        const replies = [
          await ask('POST', '/items/'),
          await ask('POST', '/items/', { headers: type }),
          await ask('PUT', '/items/7', { headers: { 'content-length': '0' } }),
        ]
        expect(replies.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, '']))
      })

      it('can be waited for, before and after', async () => {
        const reply = await post('/waits/', 'abc')
        expect([reply.status, reply.headers['location'], reply.json]).toEqual([
          201,
          '/waits/1',
          ['before', 3, 'after'],
        ])
      })

      it.each([limit + 1, large.length])('of %i bytes are refused while they stream', async (size) => {
        const reply = await post('/items/', large.subarray(0, size), { chunked: true })
        expect([reply.status, reply.headers['content-type']]).toEqual([413, problem])
        expect(reply.json).toMatchObject({
          code: 'body_too_large',
          detail: expect.stringMatching(naming(limit)),
        })
      })

      it('of exactly the limit are taken', async () => {
        const sent = large.subarray(0, limit)
        expect((await post('/items/', sent, { chunked: true })).bytes.equals(sent)).toBe(true)
        expect((await post('/items/', sent)).bytes.equals(sent)).toBe(true)
      })

      it('beyond the limit are refused by their declared length', async () => {
        expect((await post('/items/', large)).status).toBe(413)
      })

      it.each([
        ['/refused/', 415],
        ['/refused-later/', 403],
      ])('that %s does not read leave the client its answer', async (path, status) => {
        const replies = [
          await post(path, ''),
          await post(path, '{}'),
          await post(path, large),
          await post(path, large, { chunked: true }),
        ]
        expect(replies.map((reply) => reply.status)).toEqual(Array(4).fill(status))
      })

      it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
        'of %s are ignored by operations that take none',
        async (mediaType) => {
          const headers = { 'content-type': mediaType }
          expect((await ask('DELETE', '/items/7', { body: '{"a":', headers })).status).toBe(204)
          expect((await ask('DELETE', '/items/7', { body: large, headers })).status).toBe(204)
        },
      )
    })

    describe('connections', () => {
      const get = (path: string) => `GET ${base}${path} HTTP/1.1\r\nHost: x\r\n\r\n`

      it('answer pipelined requests in their order', async () => {
        const received = await exchange(
          server.port,
          get('/items/1') + get('/broken-later') + get('/items/3'),
          (text) => text.includes('"id":"3"'),
        )
        expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 500', 'HTTP/1.1 200'])
        expect(received.indexOf('"id":"1"')).toBeLessThan(received.indexOf('"id":"3"'))
      })

      it('go on after a body that nobody read', async () => {
        const refused = `POST ${base}/refused/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`
        const received = await exchange(server.port, refused + get('/items/3'), (text) =>
          text.includes('"id":"3"'),
        )
        expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 200'])
      })

      it('may break off at any place', async () => {
        const head = `POST ${base}/items/ HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n`
        const chunked = `POST ${base}/waits/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`
        for (const text of [head, `${head}abc`, chunked, get('/broken-later'), get('/items/')])
          await leave(server.port, text)
        expect((await ask('GET', '/items/')).status).toBe(200)
      })
    })
  })

  it(`${name} serves in one tick where it must`, async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const server = await start('', operations, serveWith(runSync))
    const post = (path: string) => send(server.port, 'POST', path, { body: '{}' })
    expect((await post('/items/')).text).toBe('{}')
    expect((await send(server.port, 'GET', '/items/7')).json).toMatchObject({ params: { id: '7' } })
    expect((await post('/waits/')).status).toBe(500)
    vi.restoreAllMocks()
    await server.stop()
  })
  hostFormContract(name, start)
}
