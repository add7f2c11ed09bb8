import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { action, ValueError } from '../../../src/index.ts'
import { after as next } from '../../../src/model/objects.ts'
import { executeWith } from '../hooked.ts'
import { bothDesks, refusalOf } from './stage.ts'

const insert = (db: unknown, title: string): unknown =>
  executeWith(db, `insert into tickets (tenant, title) values (1, '${title}')`)

describe.each(bothDesks)('an action on a collection, on %s', (_name, start) => {
  const serve = () =>
    start({
      actions: {
        import: action({
          on: 'collection',
          input: z.object({ titles: z.array(z.string().regex(/^\w+$/)).max(3) }),
          output: z.object({ count: z.number() }),
          run: (_request, record, { titles }, { db }) => {
            expect(record).toBeUndefined()
            return next(insert(db, titles[0] ?? ''), () => ({ count: titles.length }))
          },
        }),
        importAll: action({
          on: 'collection',
          input: z.array(z.string()),
          run: (_request, _record, titles, { db }) => next(insert(db, titles[0] ?? ''), () => undefined),
        }),
        fail: action({
          on: 'collection',
          run: (_request, _record, _input, { db }) =>
            next(insert(db, 'never'), () => {
              throw new ValueError('No.')
            }),
        }),
        give: action({ on: 'collection', run: (() => ({ title: 'x' })) as never }),
      },
    })
  const titles = async (desk: Awaited<ReturnType<typeof serve>>) =>
    (await desk.rows('select title from tickets order by id')).map(({ title }) => title)

  test('shows its output', async () => {
    const desk = await serve()
    const reply = await desk.send('POST', '/tickets/import', { titles: ['four'] })
    expect([reply.status, reply.json]).toEqual([200, { count: 1 }])
    expect(await titles(desk)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('without output is a 204, and its body may be any JSON that its schema takes', async () => {
    const desk = await serve()
    const reply = await desk.send('POST', '/tickets/import-all', ['four'])
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(refusalOf(await desk.send('POST', '/tickets/import-all', ['a', 7]))).toEqual([
      ...[422, 'invalid_body', '/1 wrong_type'],
    ])
    expect(refusalOf(await desk.send('POST', '/tickets/import-all?a=b', []))).toEqual([
      ...[400, 'unknown_parameter', 'a unknown_parameter'],
    ])
  })

  test('runs in a transaction', async () => {
    const desk = await serve()
    expect(refusalOf(await desk.send('POST', '/tickets/fail'))).toEqual([400, 'rejected'])
    expect(await titles(desk)).toEqual(['one', 'two', 'three'])
  })

  test('refuses a result that nothing shows', async () => {
    const desk = await serve()
    expect(refusalOf(await desk.send('POST', '/tickets/give'))).toEqual([500, 'internal_error'])
  })

  test('takes POST alone, beside records and lists', async () => {
    const desk = await serve()
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await desk.send(method, '/tickets/import')
      expect([method, reply.status, reply.headers['allow']]).toEqual([method, 405, 'POST'])
    }
    expect((await desk.send('GET', '/tickets/1')).status).toBe(200)
    expect((await desk.send('POST', '/tickets/1')).status).toBe(405)
    expect((await desk.send('GET', '/tickets/aggregate?aggregate=count')).status).toBe(200)
  })
})
