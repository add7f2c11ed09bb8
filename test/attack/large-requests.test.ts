import { afterAll, describe, expect, it } from 'vitest'
import { describeEach, type Subject } from '../needed-program.ts'
import { createDatabase } from '../servers/test-database.ts'
import { type BodyServer, startServer } from './body-client.ts'
import { largeReads, largeRecord } from './large-reads.ts'
import type { LargeSource } from './large-tables.ts'
import { largeWrites } from './large-writes.ts'

/** How many of them are sent at once. */
const AT_ONCE = 4
/** How many single records, and slow readers, there are at once. */
const MANY = 24

interface Place {
  readonly open: () => Promise<{ readonly url: string; drop(): Promise<void> }>
  readonly orms: readonly LargeSource[]
}

/** Prisma reads and writes in the same way on both. */
const databases: readonly Subject<Place>[] = [
  ['SQLite', { open: async () => ({ url: '', drop: async () => {} }), orms: ['drizzle'] }],
  ['PostgreSQL', { open: () => createDatabase('large'), orms: ['drizzle', 'prisma'] }, 'postgres'],
]

/** Prisma's client keeps many times the size of JSON and decimals, for which this heap has no room. */
const writesWith = (orm: LargeSource): typeof largeWrites =>
  orm === 'prisma' ? largeWrites.filter(([what]) => !/JSON|decimals|numbers/.test(what)) : largeWrites

/**
 * Sends requests at once, and another one. Each gets a response.
 *
 * @returns how many of them had no response yet when the other one got its own
 */
const together = async (server: BodyServer, sent: readonly (() => Promise<Reply>)[]): Promise<number> => {
  let left = sent.length
  const all = sent.map(async (send) => {
    const reply = await send()
    left -= 1
    return reply
  })
  const another = get(server, '/parents/1').then(({ status }) => ({ status, left }))
  const [other, ...replies] = await Promise.all([another, ...all])
  for (const { status, text } of replies) {
    expect([200, 201, 400, 503]).toContain(status)
    if (status >= 400) expect(text).toMatch(/"code":"(page_too_large|unavailable)"/)
  }
  // While a synchronous driver holds the process, it may be refused as one too many.
  expect([200, 503]).toContain(other.status)
  expect((await get(server, '/parents/1')).status).toBe(200)
  return other.left
}

interface Reply {
  readonly status: number
  readonly text: string
}

const get = async ({ port }: BodyServer, path: string): Promise<Reply> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: response.status, text: await response.text() }
}

const times = <T>(count: number, of: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => of(at))

describeEach(databases, 'the largest requests at once, with a heap of 256 MB, on %s', ({ open, orms }) => {
  describe.each(orms)('%s', (orm) => {
    const ends: (() => Promise<void>)[] = []
    const start = async (...more: readonly string[]): Promise<BodyServer> => {
      const { url, drop } = await open()
      const server = await startServer('large-server.ts', [orm, url, ...more])
      ends.push(server.stop, drop)
      return server
    }
    const stop = async (): Promise<void> => {
      for (const end of ends.splice(0)) await end()
    }

    afterAll(stop)

    let kept: BodyServer | undefined
    /** A server for all of them, which must outlive them. */
    const shared = async (): Promise<BodyServer> => {
      if (kept === undefined || kept.hasEnded()) kept = await start()
      return kept
    }

    describe('reads', () => {
      it.each(largeReads)(
        '%s',
        async (_what, path) => {
          const server = await shared()
          await together(
            server,
            times(AT_ONCE, (at) => () => get(server, path(at))),
          )
        },
        120_000,
      )

      it('single records', { timeout: 120_000 }, async () => {
        const server = await shared()
        await together(
          server,
          times(MANY, (at) => () => get(server, largeRecord(at))),
        )
      })

      it('slow readers', { timeout: 120_000 }, async () => {
        const server = await shared()
        // The body of each stays where it is until it is read.
        const slow = times(MANY, (at) => fetch(`http://127.0.0.1:${server.port}/texts/?limit=${1000 - at}`))
        const statuses = (await Promise.all(slow)).map(({ status }) => status)
        expect(statuses).toContain(200)
        for (const status of statuses) expect([200, 503]).toContain(status)
        expect((await get(server, '/parents/1')).status).toBe(200)
        for (const response of slow) expect((await (await response).text()).length).toBeGreaterThan(0)
        expect((await get(server, '/parents/1')).status).toBe(200)
      })

      it('cursor pages', { timeout: 120_000 }, async () => {
        const server = await start('cursor')
        await together(
          server,
          times(AT_ONCE, (at) => () => get(server, `/notes/?limit=${1000 - at}`)),
        )
      })
    })

    describe('writes', () => {
      it.each(writesWith(orm))(
        '%s',
        async (_what, method, path, body) => {
          const server = await shared()
          const text = body()
          const left = await together(
            server,
            times(AT_ONCE, () => () => server.send(method, path, text)),
          )
          expect(left).toBeGreaterThan(0)
        },
        120_000,
      )
    })
  })
})
