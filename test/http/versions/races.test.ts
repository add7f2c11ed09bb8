import { describe, expect, it } from 'vitest'
import { describeEach } from '../../needed-program.ts'
import type { Send } from '../../stage/requests.ts'
import { inTest, type Start, startsOf } from '../../stage/service.ts'
import { counters, countUp, versions } from './counters.ts'

const CLIENTS = 20

/** Nothing is lost: as many changes are stored as clients were told. */
const assertCounts = async (send: Send): Promise<void> => {
  const made = await send('POST', '/counters/', { body: { count: 0 } })
  expect(made.status, made.text).toBe(201)
  expect(await countUp(send, '/counters/1', { clients: CLIENTS })).toEqual(['412 precondition_failed'])
  expect((await send('GET', '/counters/1')).json).toMatchObject({ count: CLIENTS })
}

/** Each write raises the version, whatever others do at the same time. */
const assertRaised = async (send: Send): Promise<void> => {
  await send('POST', '/counters/', { body: { count: 0 } })
  const written = await Promise.all(
    Array.from({ length: CLIENTS }, (_, count) => send('PATCH', '/counters/1', { body: { count } })),
  )
  expect(new Set(written.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(written.map(({ headers }) => headers['etag'])).size).toBe(CLIENTS)
}

const starts = startsOf(counters)

const racing = (start: Start): void => {
  const on = async (config: object | undefined, test: (send: Send) => Promise<void>): Promise<void> => {
    const options = { modelConfig: { Counter: config }, settings: { maxWaiting: 0 } }
    const { send } = await inTest(start({ ...options, hosting: { logger: 'error' } } as never))
    await test(send)
  }

  it.each(Object.entries(versions))('keep every change, with the version: %s', async (_name, config) => {
    await on(config, assertCounts)
  })

  it.each([versions.integer, versions.timestamp])(
    'raise a version once for each write: %o',
    async (config) => {
      await on(config, assertRaised)
    },
  )
}

describe('clients that change one record at the same time', () =>
  describeEach(
    [
      ['SQLite', starts.sqlite],
      ['PostgreSQL', starts.postgres, 'postgres'],
      ['MariaDB', starts.mariadb, 'mariadb'],
      ['MySQL', starts.mysql, 'mysql'],
    ],
    'on %s',
    racing,
  ))
