import type { Call } from '../../operation/call.ts'
import { pullBody, wait } from '../../operation/steps.ts'
import { same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { body, operation } from './operations.ts'
import { type HostUnderTest, hostSubject } from './subject.ts'

/** What happens to the body of a request that an operation waits for. */
const watchedBody = () => ({
  started: Promise.withResolvers<void>(),
  ended: Promise.withResolvers<'received' | 'dropped'>(),
})

/** Asserts that operations do not receive a part of a body that they want as a whole. */
export const brokenBodiesPart = (runner: Runner, tested: HostUnderTest): void => {
  /** By the query string, because a host may report late that a body was dropped. */
  const watched = new Map<string, ReturnType<typeof watchedBody>>()
  const create = operation(
    'POST',
    '/things/',
    function* ({ query }: Call) {
      watched.get(query)?.started.resolve()
      yield* pullBody()
      watched.get(query)?.ended.resolve('received')
      return { status: 204, headers: {}, body: undefined }
    },
    { body },
  )
  const ping = operation('GET', '/ping', function* () {
    return yield* wait({ status: 204, headers: {}, body: undefined })
  })
  const { client, ask } = hostSubject(runner, tested, {
    ...{ base: '/api', operations: [create, ping] },
    dropped: ({ query }) => watched.get(query)?.ended.resolve('dropped'),
  })
  const ways = tested.protocol === 'http2' ? (['disconnect', 'reset'] as const) : (['disconnect'] as const)

  for (const way of ways)
    for (const length of [undefined, '100'])
      runner.it(
        `a body is dropped after a ${way}, ${length ? 'with' : 'without'} a declared length`,
        async () => {
          const { started, ended } = watchedBody()
          const query = `${way}=${length}`
          watched.set(query, { started, ended })
          const headers = { 'content-type': 'application/json', ...(length && { 'content-length': length }) }
          const upload = client().upload(`/api/things/?${query}`, headers)
          await Promise.all([started.promise, upload.write(Buffer.from('{"name":"Ada"}'))])
          upload[way]()
          const wrong = 'RequestBody.whole must reject if the client disconnects or resets the request.'
          same(await ended.promise, 'dropped', wrong)
          same((await ask('GET', '/ping')).status, 204, 'The server must continue.')
        },
      )
}
