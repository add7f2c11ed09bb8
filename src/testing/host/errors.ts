import { meaningOf } from '../../error/own-codes.ts'
import { has, matches, names, same } from '../suite/assertions.ts'
import type { HostSubject } from './subject.ts'

const problem = 'application/problem+json'

/** Method, path, and what the log must contain of the error. */
const broken: readonly (readonly [string, string, string])[] = [
  ['GET', '/broken', 'secret'],
  ['GET', '/broken-later', 'secret later'],
  ['POST', '/fails-after/', 'secret after'],
  ['POST', '/undeclared-body/', 'Error'],
  ['POST', '/two-bodies/', 'Error'],
]

/** The line of an error on stderr: its message, or its stack. */
const onStderr = (message: string): RegExp =>
  message === 'Error' ? /Error: .+\n +at / : new RegExp(`\\b${message}$`, 'm')

/** Asserts what is sent to the client and written to the log for an error. */
export const errorsPart = ({ runner: { describe, it }, tested, base, ask, takeLog }: HostSubject): void => {
  const refusal = (path: string, status: number, code: string) => ({
    ...{ ...meaningOf(code), status, instance: base + path, code },
  })

  describe('errors', () => {
    const wrong = 'The response must be the problem document that answer() creates.'

    it('an HttpError becomes a problem document with its status and headers', async () => {
      const reply = await ask('GET', '/gone')
      has(
        reply.headers,
        { 'content-type': problem, 'x-why': 'time' },
        'The headers of an error must be sent.',
      )
      same(reply.json, { ...refusal('/gone', 410, 'gone'), detail: 'It is gone.' }, wrong)
    })

    it('a ValueError is 400', async () => {
      const reply = await ask('GET', '/rejected')
      same(reply.json, { ...refusal('/rejected', 400, 'rejected'), detail: 'Never on Sundays.' }, wrong)
    })

    for (const [method, path, message] of broken)
      it(`any other error is 500, and only the log has its message: ${method} ${path}`, async () => {
        takeLog?.()
        const reply = await ask(method, path, method === 'POST' ? { body: '{}' } : {})
        same([reply.status, reply.headers['content-type']], [500, problem], wrong)
        const { detail, request_id: id, ...rest } = reply.json
        same(rest, refusal(path, 500, 'internal_error'), wrong)
        matches(detail, /./, 'The problem must have a detail.')
        matches(id, /./, 'The problem must have the id of the request.')
        same(/secret|Error:/.exec(reply.text), null, 'The response must not contain the error.')
        if (takeLog === undefined) return
        const log = takeLog()
        names(log, [`${method} ${base}${path}`, String(id)], 'The log must name the request.')
        const expected = tested.takeLog === undefined ? onStderr(message) : new RegExp(message)
        matches(log, expected, 'The log must contain the error.')
      })

    it('a response with an invalid header becomes 500, and the server continues', async () => {
      const reply = await ask('GET', '/bad-header')
      const rejected = 'A header with invalid characters must make send() throw before anything is sent.'
      same([reply.status, reply.headers['x-bad']], [500, undefined], rejected)
      same(reply.headers['x-good'], undefined, 'The 500 must not have headers of the other response.')
      same((await ask('GET', '/items/')).status, 200, 'The server must continue after an error.')
    })
  })
}
