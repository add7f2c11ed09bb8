import { same, soon } from '../suite/assertions.ts'
import { exchange, leave } from './http-client.ts'
import { endless } from './http2-client.ts'
import { limit } from './operations.ts'
import type { HostSubject } from './subject.ts'

/** Requests whose response does not depend on the end of their body, and its status. */
const early: readonly (readonly [string, string, number])[] = [
  ['POST', '/items/', 413],
  ['POST', '/refused/', 415],
  ['POST', '/refused-later/', 403],
  ['DELETE', '/items/7', 204],
  ['PATCH', '/items/7', 405],
]

/** Asserts how the streams of HTTP/2 are closed. */
const streamsOfConnections = ({ runner: { describe, it }, base, port }: HostSubject): void => {
  describe('streams', () => {
    for (const [method, path, status] of early)
      it(`a stream is closed after a response that does not need its body: ${method} ${path}`, async () => {
        const request = endless(port(), method, base + path, Buffer.alloc(limit + 1, 'x'))
        try {
          const answer = await request.answer
          same(answer.status, status, 'The response must be sent although the body does not end.')
          const wrong = 'The server must close the stream with NO_ERROR after the response.'
          same(await soon(request.closed, wrong), 0, wrong)
        } finally {
          request.leave()
        }
      })
  })
}

/** Asserts how connections are reused and closed. */
export const connectionsPart = (subject: HostSubject): void => {
  const { runner, base, ask, tested } = subject
  const { describe, it } = runner
  if (tested.protocol === 'http2') {
    streamsOfConnections(subject)
    return
  }

  const get = (path: string): string => `GET ${base}${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const statuses = (received: string): readonly string[] =>
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)

  describe('connections', () => {
    it('pipelined requests receive their responses in order', async () => {
      const sent = get('/items/1') + get('/broken-later') + get('/items/3')
      const received = await exchange(subject.port(), sent, (text) => text.includes('"id":"3"'))
      const wrong = 'Responses must be sent in the order of the requests. For node:http, use inTurn.'
      same(statuses(received), ['200', '500', '200'], wrong)
      same(received.indexOf('"id":"1"') < received.indexOf('"id":"3"'), true, wrong)
    })

    it('a connection stays usable after a body that the operation did not read', async () => {
      const refused = `POST ${base}/refused/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`
      const received = await exchange(subject.port(), refused + get('/items/3'), (text) =>
        text.includes('"id":"3"'),
      )
      const wrong = 'The server must read and discard an unread body before the next request.'
      same(statuses(received), ['415', '200'], wrong)
    })

    it('clients may disconnect at any point', async () => {
      const head = `POST ${base}/items/ HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n`
      const chunked = `POST ${base}/waits/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`
      for (const text of [head, `${head}abc`, chunked, get('/broken-later'), get('/items/')])
        await leave(subject.port(), text)
      same((await ask('GET', '/items/')).status, 200, 'The server must continue when a client disconnects.')
    })
  })
}
