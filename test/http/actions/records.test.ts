import { type } from 'arktype'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { action, controllerFor, HttpError, ValueError } from '../../../src/index.ts'
import { after as next } from '../../../src/model/objects.ts'
import { openSqlite } from '../../stage/databases.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { executeWith } from '../hooked.ts'
import { bothDesks, desks, lite, type Parts, refusalOf } from './stage.ts'

const input = z.object({ status: z.string().trim().min(2).max(10), note: z.string().optional() })
const close = action({
  on: 'record',
  input,
  run: (_request, _ticket, { status }) => ({ status }),
})
const shown = (over: object) => ({
  id: 1,
  tenant: 1,
  title: 'one',
  status: 'open',
  times: 0,
  team_id: null,
  ...over,
})
const thrown = (error: Error): never => {
  throw error
}

describe.each(bothDesks)('an action on a record, on %s', (_name, start) => {
  const serve = (parts: Parts, options = {}) =>
    start(parts, {
      modelConfig: { Ticket: { hidden: ['password'], readOnly: ['status', 'times'] } },
      ...options,
    })

  test('stores what it returns, of fields that clients cannot write too, and shows the record', async () => {
    const desk = await serve({ actions: { close } })
    const reply = await desk.send('POST', '/tickets/1/close', { status: ' closed ' })
    expect([reply.status, reply.json]).toEqual([200, shown({ status: 'closed' })])
    expect(await desk.ticket(1)).toMatchObject({ status: 'closed', password: 'hidden-1' })
    expect(await desk.ticket(2)).toMatchObject({ status: 'open' })
  })

  test('has a path in kebab-case, also with a slash at its end', async () => {
    const desk = await serve({ actions: { closeForGood: close } })
    expect((await desk.send('POST', '/tickets/1/close-for-good', { status: 'closed' })).status).toBe(200)
    expect((await desk.send('POST', '/tickets/1/close-for-good/', { status: 'gone' })).status).toBe(200)
    expect((await desk.send('POST', '/tickets/1/closeForGood', { status: 'closed' })).status).toBe(404)
  })

  test('takes POST alone', async () => {
    const desk = await serve({ actions: { close } })
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await desk.send(method, '/tickets/1/close')
      expect([method, reply.status, reply.headers['allow']]).toEqual([method, 405, 'POST'])
    }
  })

  test('of a record that does not exist is a 404, with the key read as everywhere', async () => {
    const desk = await serve({ actions: { close } })
    const body = { status: 'closed' }
    for (const key of ['9', 'x', '1.5', '%00'])
      expect([key, ...refusalOf(await desk.send('POST', `/tickets/${key}/close`, body))]).toEqual([
        key,
        404,
        'not_found',
      ])
    expect(refusalOf(await desk.send('POST', '/tickets/1/close?x=1', body))).toEqual([
      400,
      'unknown_parameter',
      'x unknown_parameter',
    ])
  })

  test('refuses a body that its schema refuses, before it runs', async () => {
    const runs: number[] = []
    const desk = await serve({
      actions: { close: action({ on: 'record', input, run: () => void runs.push(1) }) },
    })
    const asked: readonly (readonly [unknown, ...unknown[]])[] = [
      [{}, 422, 'invalid_body', '/status required'],
      [{ status: 'x' }, 422, 'invalid_body', '/status too_short'],
      [{ status: null }, 422, 'invalid_body', '/status not_nullable'],
      [{ status: 7, note: 8 }, 422, 'invalid_body', '/status wrong_type', '/note wrong_type'],
      [[], 422, 'invalid_body', ' wrong_type'],
      ['null', 422, 'invalid_body', ' wrong_type'],
      ['{', 400, 'malformed_json'],
      ['{"status":"ok"}{"status":"ok"}', 400, 'malformed_json'],
      ['', 400, 'malformed_json'],
      [undefined, 400, 'malformed_json'],
      ['{"status":9007199254740993}', 422, 'invalid_body', '/status imprecise_number'],
    ]
    for (const [body, ...refusal] of asked)
      expect([body, ...refusalOf(await desk.send('POST', '/tickets/1/close', body))]).toEqual([
        body,
        ...refusal,
      ])
    expect(runs).toEqual([])
  })

  test('bounds its body, and takes JSON alone', async () => {
    const desk = await serve({ actions: { close } }, { settings: { JSON_BODY_LIMIT: 100 } })
    const long = { status: 'x'.repeat(200) }
    expect(refusalOf(await desk.send('POST', '/tickets/1/close', long))).toEqual([413, 'body_too_large'])
    const text = await desk.send('POST', '/tickets/1/close', 'status=closed', {
      'content-type': 'text/plain',
    })
    expect([...refusalOf(text), text.headers['accept']]).toEqual([
      415,
      'unsupported_media_type',
      'application/json',
    ])
    expect(
      refusalOf(await desk.send('POST', '/tickets/1/close', { status: 'ok' }, { accept: 'text/html' })),
    ).toEqual([406, 'not_acceptable'])
    expect(await desk.ticket(1)).toMatchObject({ status: 'open' })
  })

  test('without input takes an empty body or {}, and nothing else', async () => {
    const inputs: unknown[] = []
    const desk = await serve({
      actions: { ping: action({ on: 'record', run: (_request, _ticket, input) => void inputs.push(input) }) },
    })
    for (const body of [undefined, {}, ' { } '])
      expect((await desk.send('POST', '/tickets/1/ping', body)).status).toBe(200)
    expect(refusalOf(await desk.send('POST', '/tickets/1/ping', { a: 1, b: 2 }))).toEqual([
      422,
      'invalid_body',
      '/a unknown_key',
      '/b unknown_key',
    ])
    expect(refusalOf(await desk.send('POST', '/tickets/1/ping', []))).toEqual([
      422,
      'invalid_body',
      ' wrong_type',
    ])
    expect(refusalOf(await desk.send('POST', '/tickets/1/ping', ' '))).toEqual([400, 'malformed_json'])
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await desk.send('POST', '/tickets/1/ping', undefined, form)).status).toBe(200)
    // A request in process says nothing of the length of its body.
    expect([400, 415]).toContain((await desk.send('POST', '/tickets/1/ping', 'a=1', form)).status)
    expect(inputs).toEqual([undefined, undefined, undefined, undefined])
  })

  test.each([
    ['Valibot', v.object({ status: v.pipe(v.string(), v.trim(), v.minLength(2)) })],
    ['ArkType', type({ status: type('string.trim').to('string >= 2') })],
  ])('reads a schema of %s', async (_library, input) => {
    const desk = await serve({
      actions: {
        close: action({ on: 'record', input, run: (_request, _ticket, { status }) => ({ status }) }),
      },
    })
    expect(refusalOf(await desk.send('POST', '/tickets/1/close', { status: 'x' }))).toEqual([
      422,
      'invalid_body',
      '/status too_short',
    ])
    expect(refusalOf(await desk.send('POST', '/tickets/1/close', {}))).toEqual([
      422,
      'invalid_body',
      '/status required',
    ])
    expect((await desk.send('POST', '/tickets/1/close', { status: ' done ' })).json).toMatchObject({
      status: 'done',
    })
  })

  test('gets the whole record, and may return it with changes', async () => {
    const desk = await serve({
      actions: {
        close: action({
          on: 'record',
          run: (_request, ticket) => {
            expect(ticket).toMatchObject({ id: 1, password: 'hidden-1' })
            return { ...ticket, status: String(ticket['title']) }
          },
        }),
      },
    })
    expect((await desk.send('POST', '/tickets/1/close')).json).toEqual(shown({ status: 'one' }))
  })

  test('that returns nothing shows the record as its own statements left it', async () => {
    const desk = await serve({
      actions: {
        count: action({
          on: 'record',
          run: (_request, { id }, _input, { db }) =>
            next(executeWith(db, `update tickets set times = times + 2 where id = ${id}`), () => undefined),
        }),
        drop: action({
          on: 'record',
          run: (_request, { id }, _input, { db }) =>
            next(executeWith(db, `delete from tickets where id = ${id}`), () => undefined),
        }),
      },
    })
    expect((await desk.send('POST', '/tickets/1/count')).json).toEqual(shown({ times: 2 }))
    const dropped = await desk.send('POST', '/tickets/2/drop')
    expect([dropped.status, dropped.text]).toEqual([204, ''])
    expect(await desk.ticket(2)).toBeUndefined()
  })

  test('with an output shows it as the schema says, and stores nothing', async () => {
    const desk = await serve({
      actions: {
        sum: action({
          on: 'record',
          output: z.object({ sum: z.number(), title: z.string().toUpperCase() }),
          run: (_request, ticket) => ({
            ...ticket,
            sum: Number(ticket['times']) + 1,
            title: 'one',
            status: 'closed',
          }),
        }),
      },
    })
    const reply = await desk.send('POST', '/tickets/1/sum')
    expect([reply.status, reply.json]).toEqual([200, { sum: 1, title: 'ONE' }])
    expect(reply.headers['content-type']).toBe('application/json')
    expect(await desk.ticket(1)).toMatchObject({ status: 'open' })
  })

  test('rolls back all that it did when it throws, or returns what cannot be stored or shown', async () => {
    const touched = (result: () => unknown, more = {}) =>
      action({
        on: 'record',
        ...more,
        run: (_request: unknown, { id }: { id: unknown }, _input: unknown, { db }: { db: unknown }) =>
          next(executeWith(db, `update tickets set times = 9 where id = ${id}`), result),
      } as never)
    const desk = await serve({
      actions: {
        reject: touched(() => thrown(new ValueError('No.'))),
        refuse: touched(() => thrown(new HttpError(403, 'No.'))),
        fail: touched(() => thrown(new Error('secret'))),
        long: touched(() => ({ title: 'x'.repeat(30) })),
        hidden: touched(() => ({ password: 7 })),
        unknown: touched(() => ({ colour: 'red' })),
        key: touched(() => ({ id: 7 })),
        text: touched(() => 'closed'),
        missing: touched(() => ({ team_id: 99 })),
        output: touched(() => ({ count: 'x' }), { output: z.object({ count: z.number() }) }),
        large: touched(() => 1n, { output: z.bigint() }),
        nothing: touched(() => undefined, { output: z.any() }),
      },
    })
    const refusals: Readonly<Record<string, readonly unknown[]>> = {
      reject: [400, 'rejected'],
      refuse: [403, 'forbidden'],
      fail: [500, 'internal_error'],
      long: [422, 'invalid_body', '/title too_long'],
      hidden: [500, 'internal_error'],
      unknown: [500, 'internal_error'],
      key: [500, 'internal_error'],
      text: [500, 'internal_error'],
      output: [500, 'internal_error'],
      large: [500, 'internal_error'],
      nothing: [500, 'internal_error'],
    }
    for (const [name, refusal] of Object.entries(refusals)) {
      const reply = await desk.send('POST', `/tickets/1/${name}`)
      expect([name, ...refusalOf(reply)]).toEqual([name, ...refusal])
      expect(reply.text).not.toMatch(/secret|colour/)
    }
    expect((await desk.send('POST', '/tickets/1/missing')).status).toBe(422)
    expect(await desk.ticket(1)).toMatchObject({ times: 0, status: 'open' })
  })

  test('runs no hooks of an update, and afterCommit once it has stored something', async () => {
    const ran: string[] = []
    const desk = await serve({
      beforeUpdate: () => void ran.push('beforeUpdate'),
      afterUpdate: () => void ran.push('afterUpdate'),
      afterCommit: (_request, event, record) => void ran.push(`${event} ${record['status']}`),
      actions: {
        close,
        look: action({ on: 'record', run: () => undefined }),
        show: action({ on: 'record', output: z.string(), run: () => 'x' }),
      },
    })
    await desk.send('POST', '/tickets/1/close', { status: 'closed' })
    await desk.send('POST', '/tickets/1/look')
    await desk.send('POST', '/tickets/1/show')
    await desk.rest.close()
    expect(ran).toEqual(['update closed'])
  })
})

describe('a promise', () => {
  const { oneTick: inOneTick, pglite } = desks
  const later = {
    close: action({ on: 'record', run: (() => Promise.resolve({ status: 'closed' })) as never }),
  }

  test('is awaited on a driver that returns promises', async () => {
    const desk = await pglite({ actions: later })
    expect((await desk.send('POST', '/tickets/1/close')).json).toMatchObject({ status: 'closed' })
  })

  test.each([
    ['', lite],
    [' in one tick', inOneTick],
  ])('is a 500 that the log explains on a synchronous driver%s', async (_name, start) => {
    const desk = await start({ actions: later })
    expect(refusalOf(await desk.send('POST', '/tickets/1/close'))).toEqual([500, 'internal_error'])
    expect(await desk.ticket(1)).toMatchObject({ status: 'open' })
  })

  test('of an async function is found at start', async () => {
    const actions = { close: action({ on: 'record', run: async () => undefined }) }
    await expect(lite({ actions })).rejects.toThrow(/actions\.close/)
    await expect(pglite({ actions })).resolves.toBeDefined()
  })
})

test('names itself in the log when it fails', async () => {
  const desk = await lite(
    { actions: { close: action({ on: 'record', run: () => thrown(new Error('why')) }) } },
    {},
  )
  await desk.send('POST', '/tickets/1/close')
  for (const part of ['action close', 'Ticket', 'why']) expect(desk.errors.join()).toContain(part)
})

test('an action may change JSON and dates of its record in place', async () => {
  const plans = sqliteTable('plans', {
    id: integer().primaryKey(),
    steps: text({ mode: 'json' }).$type<string[]>().notNull(),
    due: integer({ mode: 'timestamp' }).notNull(),
  })
  const ddl = `
    create table plans (id integer primary key, steps text not null, due integer not null);
    insert into plans values (1, '["one"]', 0)`
  const database = openSqlite({ plans }, ddl)
  const extend = action({
    on: 'record',
    run: (_request, plan) => {
      const { steps, due } = plan as unknown as { readonly steps: string[]; readonly due: Date }
      steps.push('two')
      due.setUTCFullYear(2030)
      return plan
    },
  })
  const before: unknown[] = []
  const noting = (_request: unknown, _event: unknown, _record: unknown, context: { before?: object }) => {
    before.push(context.before)
  }
  const controllers = [controllerFor('Plan', { actions: { extend }, afterCommit: noting } as never)]
  const { send, rest } = await serveModels(database, { controllers })
  const [, shownPlan] = await send('POST', '/plans/1/extend')
  expect(shownPlan).toMatchObject({ steps: ['one', 'two'], due: '2030-01-01T00:00:00Z' })
  expect(await database.rows('select steps from plans')).toEqual([{ steps: '["one","two"]' }])
  await rest.close()
  expect(before).toEqual([{ id: 1, steps: ['one'], due: new Date(0) }])
})
