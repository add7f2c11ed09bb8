import { has, matches, same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import { operation } from './operations.ts'
import type { HostSubject } from './subject.ts'

const long = 'x'.repeat(8000)
const encoded = '%2C'.repeat(400)
const [first, second] = ['x'.repeat(300), 'y'.repeat(300)]

/** Path, the name of its operation, and the parameters that it must receive. */
const found: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['/items/', 'items', {}],
  ['/items', 'items', {}],
  ['/items/special', 'special', {}],
  ['/items/special/', 'special', {}],
  ['/items/7', 'item', { id: '7' }],
  ['/items/7/', 'item', { id: '7' }],
  ['/items/a%2Cb,c', 'item', { id: 'a%2Cb,c' }],
  ['/items/a%2Fb', 'item', { id: 'a%2Fb' }],
  ['/kept/7', 'kept', { id: '7' }],
  ['/kept/summaries', 'kept', { id: 'summaries' }],
  ['/kept/Summary', 'kept', { id: 'Summary' }],
  ['/kept/%73ummary', 'kept', { id: '%73ummary' }],
  ['/kept/%73ummary/', 'kept', { id: '%73ummary' }],
  ['/items/%C3%A9%20', 'item', { id: '%C3%A9%20' }],
  ['/items/100%25', 'item', { id: '100%25' }],
  ['/items/a;b=c', 'item', { id: 'a;b=c' }],
  ['/items/a:b@c', 'item', { id: 'a:b@c' }],
  ['/items/Special', 'item', { id: 'Special' }],
  [`/items/${long}`, 'item', { id: long }],
  [`/items/${encoded}/`, 'item', { id: encoded }],
  ['/items/7/parts/8', 'part', { id: '7', part: '8' }],
  [`/items/${first}/parts/${second}/`, 'part', { id: first, part: second }],
]

const queries = ['', 'a=1', 'q=a%26b&q=%zz&x=+1', 'a?b=/c', '=', '%00']
const emptyParameters = ['/items//', '/items//parts/8', '/items/7/parts//']
const unknownPaths = ['/nothing', '/items/7/8', '/items/7/parts', '/Items/', '/items/7//', '/item']

const shown = (path: string): string => (path.length > 60 ? `${path.slice(0, 40)}… (${path.length})` : path)

/** Asserts which operation serves a path, and what it receives. */
export const pathsPart = (subject: HostSubject): void => {
  const { base, ask, tested } = subject
  const { describe, it } = subject.runner
  const keepsDotSegments = tested.keepsDotSegments ?? true

  const { decodesPaths = true } = tested
  describe('paths', () => {
    it(`the path /%69tems/7 is ${decodesPaths ? 'served' : 'unknown'}`, async () => {
      const { status } = await ask('GET', '/%69tems/7')
      same(
        status,
        decodesPaths ? 200 : 404,
        'If fixed parts of paths are not decoded, declare decodesPaths: false.',
      )
      const special = await ask('GET', '/items/%73pecial')
      has(
        special.json,
        { as: decodesPaths ? 'special' : 'item' },
        'A path must have the same meaning everywhere.',
      )
    })

    for (const [path, as, params] of found)
      it(`${shown(path)} is served by the operation "${as}"`, async () => {
        const { status, text, json } = await ask('GET', path)
        same(status, 200, `The path must be found. The response was ${text}`)
        same(
          json,
          { as, method: 'GET', path: base + path, params, query: '', header: null, id: 'string' },
          'The operation must receive the method, path and parameters as the client sent them.',
        )
      })

    for (const path of ['/kept/summary', '/kept/summary/', '/kept/summary?a=1'])
      it(`${path} is served by the operation that stands in for that of its route`, async () => {
        const wrong =
          'serve.start must get the operation of the route, and the parameters as the client sent them.'
        has((await ask('GET', path)).json, { as: 'summary' }, wrong)
        same((await ask('HEAD', path)).status, 200, 'HEAD must be served as GET.')
        same((await ask('PUT', path, { body: '{}' })).text, '{}', 'Other methods must reach the route.')
      })

    for (const query of queries)
      it(`the query string "${query}" reaches the operation unchanged`, async () => {
        const wrong = 'RequestHead.url must contain the query string as the client sent it.'
        for (const path of ['/items/', '/items'])
          has((await ask('GET', `${path}?${query}`)).json, { path: base + path, query }, wrong)
      })

    it('random ids and query strings reach the operation unchanged', async () => {
      const fc = await fastCheck()
      const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).map(encodeURIComponent)
      const query = fc.stringMatching(/^[\w%&=+.,;:@!$()*/?~-]*$/)
      await fc.assert(
        fc.asyncProperty(id, query, async (sentId, sentQuery) => {
          const reply = await ask('GET', `/items/${sentId}?${sentQuery}`)
          if (sentId === 'special' || (!keepsDotSegments && /^\.{1,2}$/.test(sentId))) return
          has(reply.json, { params: { id: sentId }, query: sentQuery }, 'The URL must not be changed.')
        }),
        { numRuns: 200 },
      )
    })

    it(`a dot segment is ${keepsDotSegments ? 'kept as an id' : 'resolved'}, as declared`, async () => {
      const { json } = await ask('GET', '/items/.')
      const expected = keepsDotSegments ? { params: { id: '.' } } : { as: 'items' }
      has(json, expected, `keepsDotSegments is ${keepsDotSegments}, but /items/. was served otherwise.`)
    })

    for (const path of emptyParameters)
      it(`${path} is 404, because a parameter is empty`, async () => {
        same((await ask('GET', path)).status, 404, 'A parameter must not be empty.')
      })

    for (const path of unknownPaths)
      it(`${path} is 404, because no operation has this path`, async () => {
        same((await ask('GET', path)).status, 404, 'GET of an unknown path must be 404.')
        same((await ask('POST', path, { body: 'x' })).status, 404, 'POST to an unknown path must be 404.')
      })

    it('serves() knows the paths of the operations, if the host has it', () => {
      const host = subject.host()
      if (host.serves === undefined) return
      const known = ['/items/', '/items/{id}'].map((path) => host.serves?.('GET', base + path))
      same(known, [true, true], 'serves must return true for a path that mount received.')
      const unknown = [host.serves('PATCH', `${base}/items/`), host.serves('GET', `${base}/nothing/`)]
      same(unknown, [false, false], 'serves must return false for another method or path.')
    })

    it('operationOf() knows no operation for requests of others', () => {
      const host = subject.host()
      const told = [undefined, {}, 'x'].map((request) => host.operationOf?.(request))
      same(told, [undefined, undefined, undefined], 'operationOf must return undefined for other objects.')
    })

    it('replaced() does not return operations that mount received, if the host has it', async () => {
      const replaced = await subject.host().replaced?.([
        operation('GET', '/items/', (): never => {
          throw new Error('The operation is not run.')
        }),
      ])
      same(replaced ?? [], [], 'replaced must return only operations that the application serves itself.')
    })

    it('the base is part of the path', () => {
      matches(subject.host().base, /^(\/[^/?#\s]+)*$/, 'base must be a path without a slash at its end.')
    })
  })
}
