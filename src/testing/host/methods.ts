import { problemCodes } from '../../error/codes.ts'
import { names, same } from '../suite/assertions.ts'
import type { HostSubject } from './subject.ts'

const problem = 'application/problem+json'
const long = `/items/${'x'.repeat(500)}`

/** Method, path, and the methods in `Allow`. */
const refused: readonly (readonly [string, string, string])[] = [
  ['PUT', '/items/', 'GET, HEAD, POST'],
  ['DELETE', '/items', 'GET, HEAD, POST'],
  ['POST', '/items/7', 'GET, HEAD, PUT, DELETE'],
  ['PATCH', '/items/7/', 'GET, HEAD, PUT, DELETE'],
  ['PATCH', long, 'GET, HEAD, PUT, DELETE'],
  ['HEAD', '/waits/', 'POST'],
  ['GET', '/waits/', 'POST'],
  ['QUERY', '/items/', 'GET, HEAD, POST'],
]

const readable = ['/items/', '/items', '/items/7', '/items/7/', long, '/plain.txt', '/same', '/gone']
const shown = (path: string): string => (path.length > 60 ? `${path.slice(0, 40)}… (${path.length})` : path)

/** Asserts what happens to methods that an operation does not have, to HEAD and to OPTIONS. */
export const methodsPart = ({ runner: { describe, it }, base, ask }: HostSubject): void => {
  describe('methods', () => {
    for (const [method, path, allow] of refused)
      it(`${method} ${shown(path)} is 405 with the allowed methods`, async () => {
        const reply = await ask(method, path, { body: '{', headers: { 'content-type': 'nonsense' } })
        same(
          [reply.status, reply.headers.allow, reply.headers['content-type']],
          [405, allow, problem],
          'A path that has operations of other methods must be 405, with Allow and a problem document.',
        )
        if (method === 'HEAD') return
        const { detail, ...rest } = reply.json
        same(
          rest,
          {
            type: 'urn:modelrest:problem:method_not_allowed',
            title: problemCodes.method_not_allowed.title,
            status: 405,
            instance: base + path,
            code: 'method_not_allowed',
          },
          'The problem document must be the one that answer() creates.',
        )
        names(detail, [method, ...allow.split(', ')], 'The problem must name the methods.')
      })

    for (const path of ['/items/', '/items/7', '/nothing'])
      it(`OPTIONS ${path} is left to the application`, async () => {
        const reply = await ask('OPTIONS', path, { headers: { 'access-control-request-method': 'GET' } })
        same(
          [reply.status, reply.headers.allow],
          [404, undefined],
          'The host must not respond to OPTIONS, because the application handles CORS.',
        )
      })

    for (const path of readable)
      it(`HEAD ${shown(path)} responds as GET does, without a body`, async () => {
        const [head, get] = [await ask('HEAD', path), await ask('GET', path)]
        // These responses contain the method, and HEAD is one letter longer.
        const length = get.text.includes('"GET"') && { 'content-length': String(get.bytes.length + 1) }
        same(
          [head.status, head.headers, head.text],
          [get.status, { ...get.headers, ...length }, ''],
          'HEAD must have the status and headers of GET, and no body.',
        )
      })
  })
}
