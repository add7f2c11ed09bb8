import { expect, test } from 'vitest'
import { ValueError } from '../../../src/index.ts'
import { describeEach } from '../../needed-program.ts'
import { audited } from './stage.ts'

describeEach(audited, 'the audit log on %s', (start) => {
  test('has who did what to which record, with the values before and after', async () => {
    const { send, entries } = await start()
    const sent = { title: 'new', opened: '2026-01-02T03:04:05.678Z' }
    const made = await send('POST', '/tickets/', sent, 'ada')
    expect(made.status).toBe(201)
    const { id, opened } = made.json
    expect(await entries()).toEqual([
      {
        ...{ caller: 'ada', act: 'create', model: 'Ticket', record: String(id) },
        changes: {
          ...{ id: { after: id }, title: { after: 'new' }, opened: { after: opened } },
          ...{ api_token: {}, note: {}, revision: { after: 1 } },
          ...{ created_by: { after: null }, updated_by: { after: null }, updated_at: { after: null } },
        },
      },
    ])
    expect((await send('PATCH', `/tickets/${id}`, { title: 'newer', api_token: 'xyz' })).status).toBe(200)
    expect(await entries()).toEqual([
      {
        ...{ caller: null, act: 'update', model: 'Ticket', record: String(id) },
        changes: { title: { before: 'new', after: 'newer' }, api_token: {} },
      },
    ])
    expect((await send('PUT', `/tickets/${id}`, { title: 'newer' }, 'eve')).status).toBe(200)
    const [replaced] = await entries()
    expect(replaced).toMatchObject({
      caller: 'eve',
      act: 'update',
      changes: { opened: { before: opened, after: null } },
    })
    expect((await send('DELETE', `/tickets/${id}`, undefined, 'ada')).status).toBe(204)
    expect(await entries()).toMatchObject([
      {
        caller: 'ada',
        act: 'delete',
        record: String(id),
        changes: { title: { before: 'newer' }, note: {} },
      },
    ])
  })

  test('has nothing of a write that changes nothing, or that is refused', async () => {
    const { send, entries } = await start()
    expect((await send('PATCH', '/tickets/90', { title: 'old' })).status).toBe(200)
    expect((await send('PATCH', '/tickets/90', {})).status).toBe(200)
    expect((await send('PATCH', '/tickets/90', { title: 'x'.repeat(21) })).status).toBe(422)
    expect((await send('PATCH', '/tickets/89', { title: 'x' })).status).toBe(404)
    expect((await send('DELETE', '/tickets/89')).status).toBe(404)
    expect((await send('POST', '/teams/', { name: 'red' })).status).toBe(409)
    expect(await entries()).toEqual([])
  })

  test('is part of the transaction of the write', async () => {
    const refuse = () => {
      throw new ValueError('No.')
    }
    const { send, entries, rows } = await start({
      parts: { Ticket: { afterCreate: refuse, afterUpdate: refuse, afterDelete: refuse } },
    })
    for (const [method, path, body] of [
      ['POST', '/tickets/', { title: 'new' }],
      ['PATCH', '/tickets/90', { title: 'changed' }],
      ['DELETE', '/tickets/90', undefined],
    ] as const)
      expect((await send(method, path, body)).status).toBe(400)
    expect(await entries()).toEqual([])
    expect(await rows('select title from tickets')).toMatchObject([{ title: 'old' }])
  })

  test('stores no write whose entry is refused', async () => {
    const { send, rows } = await start()
    const reply = await send('PATCH', '/tickets/90', { title: 'changed' }, 'x'.repeat(300))
    expect([reply.status, reply.json['code']]).toEqual([500, 'internal_error'])
    expect(await rows('select title from tickets')).toMatchObject([{ title: 'old' }])
  })

  test('has an entry for each record of a body', async () => {
    const { send, entries } = await start()
    const made = await send(
      'POST',
      '/tickets/',
      { title: 'new', items: [{ name: 'a' }, { name: 'b' }], teams: [91] },
      'ada',
    )
    expect(made.status).toBe(201)
    const id = made.json['id']
    expect(await entries()).toMatchObject([
      { model: 'Ticket', act: 'create' },
      { model: 'Item', act: 'create', changes: { name: { after: 'a' }, ticket_id: { after: id } } },
      { model: 'Item', act: 'create', changes: { name: { after: 'b' } } },
      { model: 'Link', act: 'create', record: `${id},91`, caller: 'ada' },
    ])
    const items = made.json['items'] as readonly { id: number }[]
    const [first] = items
    const changed = await send('PUT', `/tickets/${id}`, {
      title: 'new',
      items: [{ id: first?.id, name: 'c' }],
      teams: [92],
    })
    expect(changed.status, changed.text).toBe(200)
    const found = await entries()
    expect(found.map(({ act, model }) => `${act} ${model}`).toSorted()).toEqual([
      ...['create Link', 'delete Item', 'delete Link', 'update Item'],
    ])
    expect(found.find(({ act, model }) => act === 'update' && model === 'Item')).toMatchObject({
      changes: { name: { before: 'a', after: 'c' } },
    })
  })

  test('has only the models that the option names', async () => {
    const { send, entries } = await start({ audit: ['Item'] })
    const made = await send('POST', '/tickets/', { title: 'new', items: [{ name: 'a' }] })
    expect(made.status).toBe(201)
    expect(await entries()).toMatchObject([{ model: 'Item' }])
  })

  test('names what hooks change, also where the caller may not see it', async () => {
    const { send, entries } = await start({
      parts: {
        Ticket: {
          access: () => ({ read: { opened: false } }),
          beforeUpdate: (_request, _ticket, payload) => ({
            ...payload,
            opened: new Date('2001-01-01'),
            note: 'seen',
          }),
        },
      },
    })
    expect((await send('PATCH', '/tickets/90', { title: 'changed' })).status).toBe(200)
    expect(await entries()).toMatchObject([
      {
        changes: {
          opened: { before: null, after: expect.stringContaining('2001-01-01T00:00:00') },
          note: {},
        },
      },
    ])
  })

  test('is read only where it is opened, and never written', async () => {
    const closed = await start()
    expect((await closed.send('GET', '/audit-entries/', undefined, 'ada')).status).toBe(404)
    const { send } = await start({
      modelConfig: { AuditEntry: { internal: false } },
      parts: {
        AuditEntry: { permissions: { read: (_request, _entry, { caller }) => caller?.id === 'ada' } },
      },
    })
    expect((await send('PATCH', '/tickets/90', { title: 'changed' }, 'eve')).status).toBe(200)
    expect((await send('GET', '/audit-entries/', undefined, 'eve')).status).toBe(403)
    const listed = await send('GET', '/audit-entries/?model=Ticket&record=90', undefined, 'ada')
    expect(listed.json['items']).toMatchObject([{ caller: 'eve', changes: { title: { before: 'old' } } }])
    const [entry] = listed.json['items'] as readonly { id: number; at: string }[]
    expect(Math.abs(Date.parse(entry?.at ?? '') - Date.now())).toBeLessThan(3_600_000)
    expect((await send('POST', '/audit-entries/', {}, 'ada')).status).toBe(405)
    expect((await send('DELETE', `/audit-entries/${entry?.id}`, undefined, 'ada')).status).toBe(405)
  })
})
