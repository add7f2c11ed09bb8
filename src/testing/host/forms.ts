import type { OperationRunner } from '../../operation/steps.ts'
import { has, matches, names, same, soon } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import type { Runner } from '../suite/runner.ts'
import type { Answer, SentRequest } from './client.ts'
import { formLimit, formOperations, tally } from './form-operations.ts'
import { exchange } from './http-client.ts'
import { limit } from './operations.ts'
import { type HostSubject, type HostUnderTest, hostSubject } from './subject.ts'
import { watchedForms } from './watched-forms.ts'

const form = 'multipart/form-data; boundary=x'
const headers = { 'content-type': form }
const json = { 'content-type': 'application/json' }
const large = Buffer.alloc(6 * 1024 * 1024, 'abcdefghijklm')

/** What the operation responds after it has read a form of these bytes. */
const read = (bytes: Uint8Array) => {
  const seen = tally()
  seen.add(bytes)
  return { as: 'stream', ...seen.result() }
}

/** Asserts how forms are read, which operations want as a stream. @param run asynchronous or synchronous mode */
export const formsPart = (runner: Runner, tested: HostUnderTest, run: OperationRunner): void => {
  /** Operations that tell the tests what they have read. */
  const watched = watchedForms()
  const operations = [...formOperations, ...watched.operations]
  const subject = hostSubject(runner, tested, { base: '/api', operations, run })
  wholeForms(subject)
  refusedForms(subject)
  arrivingForms(subject, watched)
  if (tested.protocol !== 'http2') connectionsOfForms(subject)
}

const postOf =
  ({ ask }: HostSubject) =>
  (path: string, sent: SentRequest): Promise<Answer> =>
    ask('POST', path, { headers, ...sent })

const wholeForms = (subject: HostSubject): void => {
  const { it } = subject.runner
  const post = postOf(subject)
  const wrong = 'RequestBody.bytes must return all bytes that the client sent, in their order.'

  it('random and large forms reach the operation unchanged', async () => {
    const fc = await fastCheck()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.boolean(), async (body, chunked) => {
        const reply = await post('/forms/', { body, chunked })
        same([reply.status, reply.json], [200, read(body)], wrong)
      }),
      { numRuns: 40 },
    )
    for (const chunked of [true, false])
      same((await post('/forms/', { body: large, chunked })).json, read(large), wrong)
  })

  it('a missing form is empty', async () => {
    const declared = { headers: { ...headers, 'content-length': '0' } }
    same((await post('/forms/', {})).json, read(Buffer.of()), wrong)
    same((await post('/forms/', declared)).json, read(Buffer.of()), wrong)
  })

  it('one operation accepts JSON and forms, each with its own limit', async () => {
    const [most, more] = [large.subarray(0, limit), large.subarray(0, limit + 1)]
    const asBytes = { as: 'bytes', size: limit }
    same(
      (await post('/forms/', { body: most, headers: json })).json,
      asBytes,
      'JSON must be read as a whole.',
    )
    const wrong = 'JSON must have the limit of bodies.'
    same((await post('/forms/', { body: more, headers: json })).status, 413, wrong)
    same((await post('/forms/', { body: more, headers: json, chunked: true })).status, 413, wrong)
    same(
      (await post('/forms/', { body: more })).json,
      read(more),
      'A form must not have the limit of bodies.',
    )
  })
}

const refusedForms = (subject: HostSubject): void => {
  const { it } = subject.runner
  const post = postOf(subject)

  it('a body of another media type is 415, with the accepted ones', async () => {
    for (const body of ['x', large]) {
      const reply = await post('/forms/', { body, headers: { 'content-type': 'text/plain' }, chunked: true })
      const expected = [415, 'application/json, multipart/form-data']
      same(
        [reply.status, reply.headers['accept']],
        expected,
        'The response must be sent before the body is read.',
      )
    }
  })

  for (const size of [formLimit + 1, 10_000_000_000])
    it(`a form with a declared length of ${size} bytes is 413`, async () => {
      const upload = subject.client().upload('/api/forms/', { ...headers, 'content-length': String(size) })
      const { status, json } = await upload.answer
      upload.disconnect()
      same(status, 413, 'The response must be sent although the form does not arrive.')
      has(json, { code: 'body_too_large' }, 'The problem must be the one that answer() creates.')
      names(json['detail'], [formLimit], 'The problem must name the limit.')
    })

  it('a client receives the response to a form that is read in part', async () => {
    for (const chunked of [true, false]) {
      const reply = await post('/forms/misfit', { body: large, chunked })
      const wrong = 'The server must send the response, and read and discard the rest of the form.'
      same([reply.status, reply.json['code']], [422, 'invalid_body'], wrong)
    }
  })
}

const arrivingForms = (subject: HostSubject, watched: ReturnType<typeof watchedForms>): void => {
  const { it } = subject.runner
  const post = postOf(subject)
  const upload = (path: string, length: number) =>
    subject.client().upload(`/api${path}`, { ...headers, 'content-length': String(length) })

  it('the operation receives a form while it arrives', async () => {
    const client = upload('/forms/watched', large.length)
    await Promise.all([watched.has(1000), client.write(large.subarray(0, 1000))])
    await client.write(large.subarray(1000))
    client.end()
    same((await client.answer).json, read(large), 'RequestBody.bytes must return all bytes in their order.')
  })

  it('a form is read as fast as the operation reads it', async () => {
    const whole = Buffer.alloc(24 * 1024 * 1024, 'x')
    const client = upload('/forms/held', whole.length)
    const started = watched.has(1)
    let isSent = false
    const sent = (async () => {
      for (let at = 0; at < whole.length; at += 0x10000) await client.write(whole.subarray(at, at + 0x10000))
      client.end()
      isSent = true
    })()
    await started
    // Requests that take a while, because nothing tells that no more bytes are accepted.
    for (let asked = 0; asked < 3; asked++) await post('/forms/', { body: large })
    same(isSent, false, 'The server must not read ahead of the operation.')
    watched.release()
    await sent
    same((await client.answer).json, { size: whole.length }, 'The rest of the form must be read afterwards.')
  })

  const ways =
    subject.tested.protocol === 'http2' ? (['disconnect', 'reset'] as const) : (['disconnect'] as const)
  for (const way of ways)
    it(`reading fails after a ${way} of the client`, async () => {
      const client = upload('/forms/watched', large.length)
      await Promise.all([watched.has(1000), client.write(large.subarray(0, 1000))])
      const failure = soon(
        watched.fails(),
        'RequestBody.bytes must throw if the client disconnects or resets the request.',
      )
      client[way]()
      same((await failure) instanceof Error, true, 'RequestBody.bytes must throw an Error.')
      same((await post('/forms/', { body: 'x' })).status, 200, 'The server must continue.')
    })

  it('a form that arrives too slowly is 408', async () => {
    const client = upload('/forms/slow', 500)
    await client.write(Buffer.from('hello'))
    const { status, json } = await client.answer
    client.disconnect()
    const wrong = 'The error of the operation must become the response.'
    same([status, json['code']], [408, 'request_timeout'], wrong)
  })
}

/** What HTTP/2 does not have: responses that close their connection, and requests one after another. */
const connectionsOfForms = (subject: HostSubject): void => {
  const { it } = subject.runner
  const head = (path: string, length: number): string =>
    `POST /api${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: ${length}\r\n\r\n`

  it('the connection stays usable after a form that is read in part', async () => {
    const body = 'x'.repeat(2_000_000)
    const sent = head('/forms/misfit', body.length) + body + head('/forms/', body.length) + body
    const received = await exchange(subject.port(), sent, (text) => text.includes('"size":2000000'))
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    same(statuses, ['422', '200'], 'The server must discard the rest of the form before the next request.')
  })

  it('a form that arrives too slowly closes its connection', async () => {
    const received = await exchange(subject.port(), `${head('/forms/slow', 500)}hello`, () => false)
    matches(received, /^HTTP\/1\.1 /, 'The response must be sent before the form has ended.')
    matches(received, /^HTTP\/1\.1 408 /, 'The error of the operation must become the response.')
    matches(received, /\r\nconnection: close\r\n/i, 'The header connection must be sent.')
    names(received, ['request_timeout'], 'The response must be a problem document.')
  })
}
