import { has, same } from '../suite/assertions.ts'
import { exchange } from './http-client.ts'
import { framesOf } from './http2-frames.ts'
import { cookies } from './operations.ts'
import type { HostSubject } from './subject.ts'

/** Asserts that responses are sent unchanged. */
export const responsesPart = ({ runner: { describe, it }, ask }: HostSubject): void => {
  describe('responses', () => {
    it('bytes, status and headers are sent unchanged', async () => {
      const reply = await ask('GET', '/plain.txt')
      same(
        [reply.status, reply.headers, reply.text],
        [200, { 'content-type': 'text/plain', 'content-length': '2', etag: '"1"' }, 'Hi'],
        'The response must have the headers of the operation and content-length, and no others.',
      )
    })

    it('nothing is added to the media type of JSON', async () => {
      const { headers, bytes } = await ask('GET', '/items/', { headers: { 'x-told': 'é' } })
      same(
        headers,
        { 'content-type': 'application/json', 'content-length': String(bytes.length) },
        'The response must have the headers of the operation and content-length, and no others.',
      )
    })

    it('a response without a body has no headers about one', async () => {
      const [removed, unchanged] = [await ask('DELETE', '/items/7'), await ask('GET', '/same')]
      const wrong = 'The response must have no body and no headers about a body.'
      same([removed.status, removed.headers, removed.text], [204, {}, ''], wrong)
      same([unchanged.status, unchanged.headers, unchanged.text], [304, { etag: '"1"' }, ''], wrong)
    })

    it('a record is sent with its tag, or only its tag to a client that has it', async () => {
      for (const method of ['GET', 'HEAD']) {
        const [sent, unchanged] = [
          await ask(method, '/tagged'),
          await ask(method, '/tagged', { headers: { 'if-none-match': '"0", "1"' } }),
        ]
        same([sent.status, sent.headers['etag']], [200, '"1"'], 'The host must send the tag unchanged.')
        const wrong = 'Operations must receive If-None-Match, and 304 must have the tag and no body.'
        // Servers such as Next.js add headers of their own.
        same([unchanged.status, unchanged.headers['etag'], unchanged.text], [304, '"1"', ''], wrong)
      }
      const changed = await ask('PATCH', '/tagged', { headers: { 'if-match': 'W/"0","1"' } })
      same(changed.json, { ifMatch: 'W/"0","1"' }, 'Operations must receive If-Match unchanged.')
    })

    it('several values of one header are sent as several lines, for each request the same', async () => {
      for (const method of ['GET', 'GET', 'HEAD']) {
        const { headers } = await ask(method, '/cookies')
        const wrong = 'An array of values must become a header line for each value.'
        same([headers['set-cookie'], headers['link']], [cookies, '</a>, </b>'], wrong)
      }
      const { headers } = await ask('GET', '/cookie')
      same(headers['set-cookie'], ['a=1'], 'One cookie must be one header line.')
    })
  })
}

const notJoined =
  'Several Authorization headers must be joined by ", ", because a proxy may have checked another one.'

/** Asserts what operations know about a request and its client. */
export const requestsPart = (subject: HostSubject): void => {
  const { runner, base, ask, tested } = subject
  const { describe, it } = runner

  /** The address that operations receive: none if the host says that it knows none. */
  const address = (): string | null => (subject.host().knowsAddresses === false ? null : '127.0.0.1')

  describe('requests', () => {
    it('operations read headers by their lower-case name', async () => {
      const reply = await ask('GET', '/items/', { headers: { 'X-Told': 'yes' } })
      has(reply.json, { header: 'yes' }, 'RequestHead.header must find a header by its lower-case name.')
    })

    it('the address is that of the connection, whatever the headers say', async () => {
      const headers = {
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'x-forwarded-proto': 'https',
      }
      const wrong = 'RequestHead must not use headers that a client can set.'
      const expected = { address: address(), scheme: 'http' }
      has((await ask('GET', '/who', { headers })).json, expected, wrong)
      has((await ask('POST', '/who', { headers, body: '{}' })).json, expected, wrong)
    })

    it('the header host is what the client requested', async () => {
      const { json } = await ask('GET', '/asked', { headers: { host: 'shop.example:8080' } })
      has(json, { host: 'shop.example:8080' }, 'RequestHead.header must know host with each protocol.')
    })

    it('several headers of one name are read together', async () => {
      const { json } = await ask('GET', '/asked', {
        headers: { 'x-told': ['a', 'b'], cookie: ['c=1', 'd=2'] },
      })
      has(json, { told: 'a, b' }, 'Several headers of one name must be joined by ", ".')
      has(json, { cookie: 'c=1; d=2' }, 'Several headers cookie of HTTP/2 must be joined by "; ".')
    })

    if (tested.protocol === 'http2')
      it('the scheme is that of the connection, whatever :scheme says', async () => {
        const { json } = await ask('GET', '/who', { headers: { ':scheme': 'https' } })
        has(json, { scheme: 'http' }, 'RequestHead.scheme must not be what a client can choose.')
      })

    it('headOf reads the same request again', async () => {
      const headers = { authorization: 'Bearer a', 'x-told': 'yes' }
      const { json } = await ask('GET', '/seen-again/7?a=%26', { headers })
      const expected = {
        ...{ method: 'GET', path: `${base}/seen-again/7`, query: 'a=%26', params: {}, address: address() },
        ...{ headers: ['Bearer a', 'yes'], isSame: [true, 'string'] },
      }
      same(json, expected, 'headOf must create the same head from the request object, RequestHead.request.')
    })

    it('headOf returns undefined for everything else', () => {
      const others = [
        ...[undefined, null, 1, 'x', {}],
        ...[
          { url: '/', headers: {} },
          { raw: null, originalUrl: '/' },
        ],
      ]
      const heads = others.map((other) => subject.host().headOf(other))
      same(
        heads,
        others.map(() => undefined),
        'headOf must recognize its own requests only.',
      )
    })

    if (tested.protocol === 'http2') {
      it('several Authorization headers are read together: GET', async () => {
        const lines = [
          ['authorization', 'Bearer a'],
          ['authorization', 'Bearer b'],
        ] as const
        const { text } = await framesOf(subject.port(), 'GET', `${base}/who`, lines)
        has(JSON.parse(text || '{}'), { authorization: 'Bearer a, Bearer b' }, notJoined)
      })
      return
    }
    for (const method of ['GET', 'POST'])
      it(`several Authorization headers are read together: ${method}`, async () => {
        const read = async (lines: string): Promise<unknown> => {
          const head = `${method} ${base}/who HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`
          const text = await exchange(subject.port(), `${head}${lines}\r\n`, (all) => all.includes('}'))
          return JSON.parse(/{.*}/.exec(text)?.[0] ?? '{}').authorization
        }
        const one = 'Authorization: Bearer a\r\n'
        same(await read(''), null, 'Without the header, RequestHead.header must return undefined.')
        same(await read(one), 'Bearer a', 'One Authorization header must be read unchanged.')
        same(await read('Authorization:\r\n'), '', 'An empty header must be an empty string.')
        same(await read(`${one}AUTHORIZATION: Bearer b\r\n`), 'Bearer a, Bearer b', notJoined)
        same(await read(`${one}X-A: 1\r\n${one}${one}`), 'Bearer a, Bearer a, Bearer a', notJoined)
      })
  })
}
