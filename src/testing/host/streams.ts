import { Readable } from 'node:stream'
import type { ReplyStream } from '../../operation/call.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { names, same, soon } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { operation } from './operations.ts'
import { type HostUnderTest, hostSubject } from './subject.ts'

const chunk = Buffer.alloc(64 * 1024, 'x')
const manyChunks = 100_000

/** What happened to a stream that was sent. */
interface Watched {
  /** The number of chunks that the host requested. */
  read: number
  readonly destroyed: Promise<void>
  readonly stream: ReplyStream
}

/** Creates a stream. @param isBroken throws instead of the last chunk */
const watched = (chunks: number, isBroken = false): Watched => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const known: Watched = {
    read: 0,
    destroyed: promise,
    stream: {
      destroy: () => resolve(),
      async *[Symbol.asyncIterator]() {
        while (known.read < chunks) {
          known.read += 1
          if (isBroken && known.read === chunks) throw new Error('secret')
          yield chunk
        }
      },
    },
  }
  return known
}

const sized = (chunks: number) => ({
  'content-type': 'image/png',
  'content-length': String(chunks * chunk.length),
  etag: '"1"',
})

const streamed = (chunks: number, make: () => ReplyStream) =>
  function* (): Steps<{ status: number; headers: ReturnType<typeof sized>; body: ReplyStream }> {
    return yield* wait({ status: 200, headers: sized(chunks), body: make() })
  }

/** Without a logger of the host, the log is stderr, where an error is one line and indented ones. */
const assertLogged = (log: string, wanted: readonly string[]): void => {
  names(log, wanted, 'The log must contain the error of a stream.')
  const lines = log.split('\n').filter((line) => line.includes(String(wanted[0])))
  same(lines.length, 1, 'The error of a stream must be logged once: modelrest does that.')
}

/** Asserts how responses are sent whose body is a stream. */
export const streamsPart = (runner: Runner, tested: HostUnderTest, takeLog?: () => string): void => {
  const { it } = runner
  let now = watched(0)
  let idle: ReplyStream = now.stream
  const watching = (chunks: number, isBroken = false, declared = chunks) =>
    streamed(declared, () => {
      now = watched(chunks, isBroken)
      return now.stream
    })
  const ofNode = () => Readable.from([chunk, chunk], { objectMode: false })
  const operations = [
    operation('GET', '/few', watching(3)),
    operation('GET', '/none', watching(0)),
    operation('GET', '/many', watching(manyChunks)),
    operation('GET', '/breaks', watching(3, true)),
    operation('GET', '/breaks-at-once', watching(1, true)),
    operation('GET', '/ends-early', watching(2, false, 3)),
    operation('GET', '/is-longer', watching(4, false, 3)),
    operation(
      'GET',
      '/idle',
      streamed(2, () => idle),
    ),
    operation('GET', '/of-node', streamed(2, ofNode)),
  ]
  const { client, ask } = hostSubject(runner, tested, { base: '/api', operations })

  for (const [path, chunks, title] of [
    ['/few', 3, 'a stream of three chunks'],
    ['/none', 0, 'an empty stream'],
    ['/of-node', 2, 'a Readable of Node'],
  ] as const)
    it(`${title} is sent completely, with its headers`, async () => {
      const reply = await ask('GET', path)
      const wrong = 'All bytes of a stream must be sent, with the headers of the operation and no others.'
      same([reply.status, reply.bytes.length], [200, chunks * chunk.length], wrong)
      same(reply.headers, sized(chunks), wrong)
    })

  it('HEAD destroys the stream without reading it', async () => {
    const reply = await ask('HEAD', '/many')
    same(
      [reply.status, reply.headers['content-length']],
      [200, sized(manyChunks)['content-length']],
      'HEAD must have the status and headers of GET.',
    )
    await now.destroyed
    same(now.read, 0, 'For HEAD, the stream must not be read.')
  })

  it('a stream is read as fast as the client reads, and destroyed when the client disconnects', async () => {
    await client().glimpse('/api/many')
    await soon(now.destroyed, 'The host must call destroy() of a stream when the client disconnects.')
    // Buffers on the way hold a small part of the 6 GB.
    same(
      now.read < 1000,
      true,
      `${now.read} chunks were read ahead: read a stream only as fast as it is sent.`,
    )
  })

  it('a stream that has nothing to send is destroyed when the client disconnects', async () => {
    const isDestroyed = Promise.withResolvers<void>()
    idle = {
      destroy: () => isDestroyed.resolve(),
      async *[Symbol.asyncIterator]() {
        yield chunk
        await isDestroyed.promise
      },
    }
    await client().glimpse('/api/idle')
    await soon(isDestroyed.promise, 'The host must call destroy() of a stream when the client disconnects.')
  })

  for (const [path, title, error] of [
    ['/breaks', 'a stream that fails', 'secret'],
    ['/breaks-at-once', 'a stream that fails before its first chunk', 'secret'],
    ['/ends-early', 'a stream that ends before its length', String(chunk.length)],
  ] as const)
    it(`${title} cuts off the response, because the status has been sent`, async () => {
      takeLog?.()
      const { text, isComplete } = await client().receive(`/api${path}`)
      same(/secret|problem/.exec(text), null, 'Nothing about the error must be sent.')
      const wrong =
        'The client must notice that the response is not complete: close the connection or, with HTTP/2, reset the stream with INTERNAL_ERROR and without END_STREAM.'
      same(isComplete, false, wrong)
      await now.destroyed
      if (takeLog !== undefined) assertLogged(takeLog(), [`/api${path}`, error])
      same((await ask('GET', '/few')).status, 200, 'The server must continue after a stream that failed.')
    })

  it('a stream that is longer than its length is cut there', async () => {
    const { text } = await client().receive('/api/is-longer')
    const sent = /x*$/.exec(text)?.[0].length ?? 0
    same(sent <= 3 * chunk.length, true, 'No more than the declared bytes may be sent.')
    await now.destroyed
    same((await ask('GET', '/few')).status, 200, 'The server must continue after such a stream.')
  })
}
