import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { action } from '../../../src/index.ts'
import { after as next } from '../../../src/model/objects.ts'
import { executeWith } from '../hooked.ts'
import { lite, type Parts, refusalOf } from './stage.ts'

const tenantOf = (request: object): number => {
  const headers: unknown = Reflect.get(request, 'headers')
  const tenant =
    headers instanceof Headers ? headers.get('x-tenant') : Reflect.get(Object(headers), 'x-tenant')
  return Number(tenant ?? 1)
}
const scope = (request: object) => ({ tenant: tenantOf(request) })
const asTenant = (tenant: number) => ({ 'x-tenant': String(tenant) })

const move = action({
  on: 'record',
  input: z.object({
    tenant: z.number().optional(),
    team_id: z.number().nullable().optional(),
    title: z.string().optional(),
  }),
  run: (_request, _ticket, input) => input,
})
const remove = action({
  on: 'record',
  run: (_request, { id }, _input, { db }) =>
    next(executeWith(db, `update tickets set tenant = 2 where id = ${id}`), () => undefined),
})

describe('the scope of an action', () => {
  const start = lite
  const parts: Parts = { scope, actions: { move, remove } }
  const others = { Team: { scope } }

  test('makes other records missing, byte by byte', async () => {
    const desk = await start(parts, { others })
    for (const body of [{}, { title: 'x' }, { title: 7 }, { tenant: 2 }]) {
      const [foreign, missing] = await Promise.all(
        [3, 7].map((id) => desk.send('POST', `/tickets/${id}/move`, body)),
      )
      expect(foreign?.text.replaceAll('/3/', '/7/')).toBe(missing?.text)
      expect(foreign?.status).toBe(body.title === 7 ? 422 : 404)
    }
    expect(await desk.ticket(3)).toMatchObject({ title: 'three' })
  })

  test('keeps other records from what runs', async () => {
    const titles: unknown[] = []
    const peek = action({
      on: 'record',
      output: z.object({ title: z.string() }),
      run: (_request, { title }) => {
        titles.push(title)
        return { title: String(title) }
      },
    })
    const desk = await start({ scope, actions: { peek } })
    expect(refusalOf(await desk.send('POST', '/tickets/3/peek'))).toEqual([404, 'not_found'])
    expect((await desk.send('POST', '/tickets/1/peek')).json).toEqual({ title: 'one' })
    expect(titles).toEqual(['one'])
  })

  test('is that of what is stored, too', async () => {
    const desk = await start(parts, { others })
    expect(refusalOf(await desk.send('POST', '/tickets/1/move', { tenant: 2 }))).toEqual([403, 'forbidden'])
    expect(await desk.ticket(1)).toMatchObject({ tenant: 1 })
    expect((await desk.send('POST', '/tickets/3/move', { title: 'mine' }, asTenant(2))).status).toBe(200)
  })

  test('binds foreign keys that it stores, as those of a body', async () => {
    const desk = await start(parts, { others })
    const refused = [422, 'invalid_body', '/team_id missing_reference']
    for (const team_id of [2, 9])
      expect(refusalOf(await desk.send('POST', '/tickets/1/move', { team_id }))).toEqual(refused)
    expect((await desk.send('POST', '/tickets/1/move', { team_id: 1 })).json).toMatchObject({ team_id: 1 })
    expect((await desk.send('POST', '/tickets/1/move', { team_id: null })).json).toMatchObject({
      team_id: null,
    })
  })

  test('shows nothing of a record that left it by statements of the action', async () => {
    const desk = await start(parts, { others })
    const { status, text } = await desk.send('POST', '/tickets/1/remove')
    expect([status, text]).toEqual([204, ''])
  })
})

describe('the permission of an action', () => {
  const start = lite
  const run = () => ({ status: 'closed' })
  const isOpen = (_request: unknown, record?: object): boolean =>
    record !== undefined && Reflect.get(record, 'title') === 'one'

  test.each<readonly [string, Parts]>([
    [
      'that of an update',
      { permissions: { update: isOpen }, actions: { close: action({ on: 'record', run }) } },
    ],
    [
      'its own, in permissions',
      {
        permissions: { update: () => false, close: isOpen },
        actions: { close: action({ on: 'record', run }) },
      },
    ],
    [
      'its own',
      {
        permissions: { update: () => false },
        actions: { close: action({ on: 'record', permission: isOpen, run }) },
      },
    ],
  ])('is %s', async (_place, parts) => {
    const desk = await start(parts)
    expect((await desk.send('POST', '/tickets/1/close')).json).toMatchObject({ status: 'closed' })
    expect(refusalOf(await desk.send('POST', '/tickets/2/close'))).toEqual([401, 'unauthenticated'])
    expect(refusalOf(await desk.send('POST', '/tickets/9/close'))).toEqual([404, 'not_found'])
    expect(await desk.ticket(2)).toMatchObject({ status: 'open' })
  })

  test('without that to read stores, and shows nothing', async () => {
    const desk = await start({
      permissions: { read: () => false },
      actions: { close: action({ on: 'record', run }) },
    })
    const { status, text } = await desk.send('POST', '/tickets/1/close')
    expect([status, text]).toEqual([204, ''])
    expect(await desk.ticket(1)).toMatchObject({ status: 'closed' })
  })

  test('of a collection is that of a create', async () => {
    const ping = action({ on: 'collection', run: () => undefined })
    const desk = await start({
      permissions: { create: (_request, record) => record !== undefined },
      actions: { ping },
    })
    expect(refusalOf(await desk.send('POST', '/tickets/ping'))).toEqual([401, 'unauthenticated'])
  })
})

test('an action takes a locking read and an update', async () => {
  const desk = await lite({ actions: { close: action({ on: 'record', run: () => ({ status: 'closed' }) }) } })
  desk.takeStatements()
  await desk.send('POST', '/tickets/1/close')
  const words = desk.takeStatements().map((text) => text.split(' ')[0])
  expect(words.filter((word) => word === 'select' || word === 'update')).toEqual(['select', 'update'])
})
