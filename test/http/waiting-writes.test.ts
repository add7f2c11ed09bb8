import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { action } from '../../src/index.ts'
import { type Gate, gate } from '../attack/held.ts'
import {
  type Asked,
  document,
  filePart,
  form,
  json,
  type Options,
  type Stage,
  sqliteWorld,
  startFastify,
  type Told,
  textPart,
  type World,
} from './files/writing-stage.ts'

/** A request, and whether it is the one that waits. */
type Request = (stage: Stage, isHeld?: boolean) => Promise<Told>

const marked = (isHeld: boolean, { headers, ...asked }: Asked = {}): Asked => ({
  ...asked,
  headers: { ...headers, ...(isHeld && { 'x-held': '1' }) },
})

const requests = {
  'a read': ({ send }, isHeld = false) => send('GET', '/documents/1', marked(isHeld)),
  'an update': ({ send }, isHeld = false) =>
    send('PATCH', '/documents/1', marked(isHeld, json({ title: isHeld ? 'mine' : 'theirs' }))),
  'a form': ({ send }, isHeld = false) =>
    send(
      'PATCH',
      '/documents/1',
      marked(isHeld, form([filePart('content'), ...(isHeld ? [textPart('title', 'mine')] : [])])),
    ),
  'a deletion': ({ send }, isHeld = false) => send('DELETE', '/documents/1', marked(isHeld)),
  'an action': ({ send }, isHeld = false) =>
    send('POST', '/documents/1/close', marked(isHeld, json({ held: isHeld }))),
  'an array': ({ send }, isHeld = false) =>
    send(
      'PATCH',
      '/documents/',
      marked(isHeld, json([2, 1].map((id) => ({ id, title: isHeld ? `mine${id}` : `theirs${id}` })))),
    ),
  'an update by a filter': ({ send }) => send('PATCH', '/documents/?id==1', json({ meta: { by: 'filter' } })),
  'a deletion by a filter': ({ send }) => send('DELETE', '/documents/?id==1'),
} satisfies Readonly<Record<string, Request>>
type Name = keyof typeof requests

/** Between which requests, the status of the one that waits, and the titles that are stored in the end. */
type Case = readonly [held: Name, between: Name, status: number, titles: readonly string[]]

const cases: readonly Case[] = [
  ...(['an update', 'a form', 'an action', 'an array', 'an update by a filter'] as const).map(
    (between): Case => [
      ...(['a read', between, 200] as const),
      between === 'an update'
        ? ['theirs', 'b']
        : between === 'an array'
          ? ['theirs1', 'theirs2']
          : ['a', 'b'],
    ],
  ),
  ['a read', 'a deletion', 200, ['b']],
  ...(['an update', 'a form'] as const).flatMap((held): readonly Case[] => [
    [held, 'an update', 200, ['mine', 'b']],
    [held, 'a form', 200, ['mine', 'b']],
    [held, 'an update by a filter', 200, ['mine', 'b']],
    [held, 'an array', 200, ['mine', 'theirs2']],
    [held, 'an action', 403, ['a', 'b']],
    [held, 'a deletion', 404, ['b']],
    [held, 'a deletion by a filter', 404, ['b']],
  ]),
  ['an array', 'an update', 200, ['mine1', 'mine2']],
  ['an array', 'a form', 200, ['mine1', 'mine2']],
  ['an array', 'an action', 403, ['a', 'b']],
  ['an array', 'a deletion', 404, ['b']],
  ['an array', 'a deletion by a filter', 404, ['b']],
  ['an action', 'an update', 200, ['theirs', 'b']],
  ['an action', 'a form', 200, ['a', 'b']],
  ['an action', 'an action', 403, ['a', 'b']],
  ['an action', 'a deletion', 404, ['b']],
  ['an action', 'an array', 200, ['theirs1', 'theirs2']],
  ['a deletion', 'an update', 204, ['b']],
  ['a deletion', 'a form', 204, ['b']],
  ['a deletion', 'an action', 403, ['a', 'b']],
  ['a deletion', 'a deletion', 404, ['b']],
  ['a deletion', 'a deletion by a filter', 404, ['b']],
  ['a deletion', 'an array', 204, ['theirs2']],
]

const isMarked = ({ headers }: { readonly headers: unknown }): boolean =>
  headers instanceof Headers ? headers.has('x-held') : Object(headers)['x-held'] !== undefined

const isOpen = (record: unknown): boolean => Number(Object(record)['pages']) < 100

/** Each request that is marked waits once it has read the record, and before it takes effect. */
const options = (held: Gate): Options => {
  // Without a promise for others, which a transaction of a synchronous driver refuses.
  const wait = (request: { readonly headers: unknown }): Promise<void> | undefined =>
    isMarked(request) ? held.pass() : undefined
  const mayBeOpen = (_request: unknown, record: unknown): boolean => isOpen(record)
  return {
    auth: { authenticate: () => ({ id: 1, claims: {} }) },
    modelConfig: { Document: { bulk: true } },
    customSchemas: {
      Document: {
        update: z.looseObject({}).refine(async ({ title }) => {
          if (String(title).startsWith('mine')) await held.pass()
          return true
        }),
      },
    },
    hooks: {
      permissions: {
        read: async (request: { readonly headers: unknown; readonly method: string }) => {
          if (request.method === 'GET') await wait(request)
          return true
        },
        ...{ update: mayBeOpen, delete: mayBeOpen, close: mayBeOpen },
      },
      beforeDelete: (request: { readonly headers: unknown }) => wait(request),
      actions: {
        close: action({
          on: 'record',
          input: z.object({ held: z.boolean() }).refine(async ({ held: isHeld }) => {
            if (isHeld) await held.pass()
            return true
          }),
          run: () => ({ pages: 100 }),
        }),
      },
    },
  } as never
}

describe('a request for a record that waits', () => {
  let world: World
  let stage: Stage
  beforeAll(async () => {
    world = await sqliteWorld()
  })
  afterAll(() => world.close())
  afterEach(() => stage.stop())

  it.each(cases)('%s, beside %s: %i', async (held, between, status, titles) => {
    const waiting = gate()
    stage = await startFastify(world, options(waiting))
    for (const title of ['a', 'b'])
      expect((await stage.send('POST', '/documents/', document(title, textPart('pages', '1')))).status).toBe(
        201,
      )
    const reply = (requests[held] as Request)(stage, true)
    await waiting.reached
    const other = await (requests[between] as Request)(stage).finally(waiting.open)
    expect([between, other.status]).toEqual([between, between === 'a deletion' ? 204 : 200])
    const told = await reply
    expect([told.status, told.json['code']]).toEqual([status, { 403: 'forbidden', 404: 'not_found' }[status]])
    // A read shows what was read.
    if (held === 'a read') expect(told.json['title']).toBe('a')
    const rows = await stage.rows()
    expect(rows.map(({ title }) => title)).toEqual(titles)
    if (between === 'an action' && status !== 404) expect(rows[0]?.['pages']).toBe(100)
    if (between === 'an update by a filter') expect(JSON.stringify(rows[0]?.['meta'])).toContain('filter')
    expect(await stage.keys()).toEqual(rows.map(({ content }) => content).toSorted())
  })
})
