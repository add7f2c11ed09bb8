import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { action, HttpError } from '../../../src/index.ts'
import { after as next } from '../../../src/model/objects.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { executeWith } from '../hooked.ts'
import { bothDesks, desks, type Start } from './stage.ts'

/** What happens to one record at the same time. */
const racing = (start: Start): void => {
  const increment = action({
    on: 'record',
    run: (_request, ticket) => ({ times: Number(ticket['times']) + 1 }),
  })
  const take = action({
    on: 'record',
    run: (_request, ticket) => {
      if (ticket['status'] !== 'open') throw new HttpError(403, 'It is taken.')
      return { status: 'taken' }
    },
  })

  test('runs one after the other: 50 increments count 50', async () => {
    const desk = await start({ actions: { increment } })
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => desk.send('POST', '/tickets/1/increment')),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await desk.ticket(1)).toMatchObject({ times: 50 })
    expect(new Set(replies.map(({ json }) => json['times'])).size).toBe(50)
  })

  test('beside updates loses nothing of either', async () => {
    const desk = await start({ scope: () => ({ tenant: 1 }), actions: { increment } })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? desk.send('POST', '/tickets/1/increment')
          : desk.send('PATCH', '/tickets/1', { title: `t${at}` }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await desk.ticket(1)).toMatchObject({ times: 10 })
  })

  test('that only one may do is done once', async () => {
    const desk = await start({ actions: { take } })
    const replies = await Promise.all(Array.from({ length: 10 }, () => desk.send('POST', '/tickets/1/take')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 403)])
  })

  test('runs again after a conflict between transactions', async () => {
    let runs = 0
    const both = action({
      on: 'record',
      run: (_request, { id }, _input, { db }) => {
        runs += 1
        const other = Number(id) === 1 ? 2 : 1
        return next(
          executeWith(db, `update tickets set times = times + 1 where id = ${other}`),
          () => undefined,
        )
      },
    })
    const desk = await start({ actions: { both } })
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => desk.send('POST', `/tickets/${1 + (at % 2)}/both`)),
    )
    const done = replies.filter(({ status }) => status === 200).length
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const all = await desk.rows('select times from tickets')
    expect(all.reduce((total, row) => total + Number(row['times']), 0)).toBe(done)
    expect(runs).toBeGreaterThanOrEqual(8)
  })
}

describe.each(bothDesks)('an action on %s', (_name, start) => racing(start))
onPostgres('an action on PostgreSQL', () => {
  racing(desks.postgres)

  test('may read its caller while all connections run actions', async () => {
    const desk = await desks.postgres(
      {
        afterUpdate: async (_request, ticket, { user }) => ({ ...ticket, caller: await user() }),
        actions: {
          note: action({
            on: 'record',
            output: z.unknown(),
            run: async (_request, _ticket, _input, { user }) => user(),
          }),
        },
      },
      {
        auth: { authenticate: () => ({ id: 1, claims: {} }) },
        settings: { AUTH_USER_MODEL: 'app.Team' },
      },
    )
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        at % 2 === 0
          ? desk.send('POST', `/tickets/${1 + (at % 3)}/note`)
          : desk.send('PATCH', `/tickets/${1 + (at % 3)}`, { title: 'x' }),
      ),
    )
    const callers = replies.map(({ json }, at) => (at % 2 === 0 ? json : json['caller']))
    expect(callers).toEqual(replies.map(() => ({ id: 1, tenant: 1 })))
  })
})
onEachMysql('an action', (kind) => racing(desks[kind]))
