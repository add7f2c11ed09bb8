import { HeadCall } from '../../host/call.ts'
import type { Host } from '../../host/host.ts'
import type { Operation } from '../../operation/operation.ts'
import { runAsync, runSync, wait } from '../../operation/steps.ts'
import { has, same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { bodiesPart } from './bodies.ts'
import { brokenBodiesPart } from './broken-bodies.ts'
import { connectionsPart } from './connections.ts'
import { errorsPart } from './errors.ts'
import { formsPart } from './forms.ts'
import { captureStderr, logPart } from './log.ts'
import { requestsPart, responsesPart } from './messages.ts'
import { methodsPart } from './methods.ts'
import { operation, operations } from './operations.ts'
import { pathsPart } from './paths.ts'
import { streamsPart } from './streams.ts'
import { type HostSubject, type HostUnderTest, hostSubject } from './subject.ts'

/**
 * Declares tests that every host must pass. They start servers with operations of their own and send requests to them over
 * sockets. Some tests need the package `fast-check`.
 *
 * @example
 * ```ts
 * import { once } from 'node:events'
 * import { createServer, type RequestListener } from 'node:http'
 * import type { AddressInfo } from 'node:net'
 * import { after, before, describe, it } from 'node:test'
 * import { hostContract } from 'modelrest/testing'
 *
 * // Your function, which returns what defineHost returned.
 * declare const nodeApp: (options: { base: string }) => RequestListener
 *
 * hostContract({ describe, it, before, after }, {
 *   name: 'node:http',
 *   start: async ({ base, mount }) => {
 *     const app = nodeApp({ base })
 *     await mount(app)
 *     const server = createServer(app).listen(0, '127.0.0.1')
 *     await once(server, 'listening')
 *     const { port } = server.address() as AddressInfo
 *     return { port, stop: () => server.close().closeAllConnections() }
 *   },
 * })
 * ```
 */
export const hostContract = (given: Runner, tested: HostUnderTest): void => {
  const runner = withDeadline(given)
  runner.describe(`the host ${tested.name}`, () => {
    const takeLog = logOf(runner, tested)
    for (const base of ['/api', ''])
      runner.describe(base === '' ? 'without a base' : `below ${base}`, () =>
        operationsPart(runner, tested, base, takeLog),
      )
    runner.describe('in synchronous mode', () => synchronousPart(runner, tested))
    for (const [title, run] of [
      ['forms', runAsync],
      ['forms in synchronous mode', runSync],
    ] as const)
      runner.describe(title, () => formsPart(runner, tested, run))
    runner.describe('responses that are streams', () => streamsPart(runner, tested, takeLog))
    runner.describe('bodies that are broken off', () => brokenBodiesPart(runner, tested))
  })
}

/** Longer than a test takes on a slow machine. */
const MOST_SECONDS = 45

/** Lets tests fail if the host never responds, because some runners would wait forever. */
const withDeadline = (runner: Runner): Runner => ({
  ...runner,
  it: (title, body) =>
    runner.it(title, async () => {
      const { promise, reject } = Promise.withResolvers<never>()
      const late = new Error(`The host did not respond, or kept a stream open, for ${MOST_SECONDS} seconds.`)
      const timer = setTimeout(() => reject(late), MOST_SECONDS * 1000)
      await Promise.race([body(), promise]).finally(() => clearTimeout(timer))
    }),
})

/** Reads the log for the tests of the current group. `undefined`: it cannot be read. */
const logOf = (runner: Runner, { takeLog }: HostUnderTest): (() => string) | undefined => {
  if (takeLog !== undefined) return takeLog === false ? undefined : takeLog
  let capture: ReturnType<typeof captureStderr> | undefined
  runner.before(() => {
    capture = captureStderr()
  })
  runner.after(() => capture?.release())
  return () => capture?.take() ?? ''
}

const operationsPart = (
  runner: Runner,
  tested: HostUnderTest,
  base: string,
  takeLog: (() => string) | undefined,
): void => {
  const subject: HostSubject = hostSubject(runner, tested, {
    base,
    takeLog,
    operations: [...operations, seenAgain(() => subject.host())],
  })
  pathsPart(subject)
  methodsPart(subject)
  responsesPart(subject)
  requestsPart(subject)
  logPart(subject)
  errorsPart(subject)
  bodiesPart(subject)
  connectionsPart(subject)
}

/** Responds with what `headOf` knows about the request object. */
const seenAgain = (host: () => Host): Operation =>
  operation('GET', '/seen-again/{id}', function* (call) {
    yield* wait(undefined)
    const head = host().headOf(call.request)
    const again = head && new HeadCall(head)
    const { method, path, query, params, address = null } = again ?? {}
    const headers = [again?.header('authorization') ?? null, again?.header('x-told') ?? null]
    const isSame = [again?.request === call.request, typeof again?.requestId]
    const body = JSON.stringify({ method, path, query, params, address, headers, isSame })
    return { status: 200, headers: {}, body }
  })

const synchronousPart = (runner: Runner, tested: HostUnderTest): void => {
  const { ask } = hostSubject(runner, tested, { base: '', operations, run: runSync })
  runner.it('operations respond in the tick in which their body arrives', async () => {
    const post = (path: string) => ask('POST', path, { body: '{}' })
    same((await post('/items/')).text, '{}', 'The operation must receive the body.')
    has((await ask('GET', '/items/7')).json, { params: { id: '7' } }, 'The operation must be found.')
    same((await post('/waits/')).status, 500, 'In synchronous mode, an operation must not wait.')
  })
}
