import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, type Json, type Organisation, openDesk, organisationOf, type Reply } from './stage.ts'

let desk: Desk
let acme: Organisation
beforeAll(async () => {
  desk = await openDesk()
  acme = await organisationOf(desk, 'Acme')
})
afterAll(() => desk.stop())

const itemsOf = ({ json }: Reply): readonly Json[] => json['items'] as readonly Json[]
const refusal = ({ status, json }: Reply): readonly unknown[] => [
  ...[status, json['code']],
  ...((json['errors'] ?? []) as readonly Json[]).map(({ pointer }) => pointer),
]

/** A ticket of the requester. */
const newTicket = async (more: object = {}): Promise<number> => {
  const { json } = await acme.requester.send('POST', '/tickets/', { subject: 'Lamp', ...more })
  return Number(json['id'])
}

describe('tickets', () => {
  it('show the name of the requester and the number of comments, in a list and alone', async () => {
    const { send } = acme.requester
    const expected = { comment_count: 2, requester: { id: acme.requester.id, name: 'Acmerequester' } }
    expect(itemsOf(await send('GET', `/tickets/?id=${acme.ticket}`))).toMatchObject([expected])
    expect((await send('GET', `/tickets/${acme.ticket}`)).json).toMatchObject(expected)
  })

  it('are written together with their comments and tags', async () => {
    const id = await newTicket({ comments: [{ text: 'a' }], tags: [acme.tag] })
    const path = `/tickets/${id}?include=comments(fields=text).author(fields=name),tags(fields=name)`
    expect((await acme.agent.send('GET', path)).json).toMatchObject({
      comments: [{ text: 'a', author: { name: 'Acmerequester' } }],
      tags: [{ name: 'Acmetag' }],
    })
  })

  it('are found by tag, by the requester and by the text of a comment', async () => {
    await newTicket({ subject: 'without a tag' })
    for (const [query, subjects] of [
      ['tags.name==Acmetag&comments.text=second', ['Acmesubject']],
      [`tags.name==Acmetag&requester.name=${'nobody'}`, []],
      ['tags=null&subject=tag&sort=requester.name', ['without a tag']],
    ] as const) {
      const found = itemsOf(await acme.agent.send('GET', `/tickets/?${query}`))
      expect([query, found.map(({ subject }) => subject)]).toEqual([query, subjects])
    }
  })

  it('are counted by status', async () => {
    const id = await newTicket()
    const count = async () =>
      Object.fromEntries(
        itemsOf(await acme.agent.send('GET', '/tickets/aggregate?group=status')).map((item) => [
          item['status'],
          Number(item['count']),
        ]),
      )
    const before = await count()
    await acme.agent.send('POST', `/tickets/${id}/close`, { reason: 'Solved.' })
    const { open = 0, closed = 0 } = before
    expect(await count()).toEqual({ open: open - 1, closed: closed + 1 })
  })

  it('have a note that only agents see, filter by and write', async () => {
    const { agent, requester, ticket } = acme
    expect((await agent.send('GET', `/tickets/${ticket}`)).json).toMatchObject({ internal_note: 'Acmenote' })
    for (const query of ['', '?include=comments', '?fields=subject'])
      expect((await requester.send('GET', `/tickets/${ticket}${query}`)).text).not.toContain('Acmenote')
    for (const query of ['internal_note=Acme', 'sort=internal_note', 'fields=internal_note'])
      expect(refusal(await requester.send('GET', `/tickets/?${query}`))).toEqual([
        ...[400, 'unknown_field', undefined],
      ])
    expect(itemsOf(await requester.send('GET', '/tickets/?search=Acmenote'))).toEqual([])
    const written = await requester.send('PATCH', `/tickets/${ticket}`, { internal_note: 'x' })
    expect(refusal(written)).toEqual([422, 'invalid_body', '/internal_note'])
  })
})

describe('closing', () => {
  it('needs a reason', async () => {
    const path = `/tickets/${await newTicket()}/close`
    for (const body of [{}, { reason: '  ' }, { reason: null }])
      expect(refusal(await acme.agent.send('POST', path, body))).toEqual([422, 'invalid_body', '/reason'])
  })

  it('is for agents, and not possible twice', async () => {
    const id = await newTicket()
    const close = ({ send }: Organisation['agent']) =>
      send('POST', `/tickets/${id}/close`, { reason: 'Solved.' })
    expect(refusal(await close(acme.requester))).toEqual([403, 'forbidden'])
    expect((await close(acme.agent)).json).toMatchObject({ status: 'closed', reason: 'Solved.' })
    expect(refusal(await close(acme.agent))).toEqual([409, 'ticket_closed'])
    const patched = await acme.agent.send('PATCH', `/tickets/${id}`, { status: 'open' })
    expect(refusal(patched)).toEqual([422, 'invalid_body', '/status'])
  })
})

describe('a comment', () => {
  const newComment = async (): Promise<readonly [ticket: number, id: number]> => {
    const ticket = await newTicket({ comments: [{ text: 'early' }] })
    const sought = desk.sql.prepare('select id from comments where ticket_id = ?')
    return [ticket, Number(sought.pluck().get(ticket))]
  }
  const ageOf = (id: number, seconds: number) =>
    desk.sql.prepare('update comments set created_at = unixepoch() - ? where id = ?').run(seconds, id)

  it('can be changed for ten minutes by its author', async () => {
    const [ticket, id] = await newComment()
    ageOf(id, 590)
    expect((await acme.requester.send('PATCH', `/comments/${id}`, { text: 'b' })).status).toBe(200)
    const body = { comments: { update: [{ id, text: 'c' }] } }
    expect((await acme.requester.send('PATCH', `/tickets/${ticket}`, body)).status).toBe(200)
    expect(refusal(await acme.agent.send('PATCH', `/comments/${id}`, { text: 'd' }))).toEqual([
      ...[403, 'forbidden'],
    ])
    expect((await acme.requester.send('DELETE', `/comments/${id}`)).status).toBe(204)
  })

  it('is then locked, also in the body of its ticket', async () => {
    const [ticket, id] = await newComment()
    ageOf(id, 601)
    const { send } = acme.requester
    const locked = [423, 'comment_locked']
    expect(refusal(await send('PATCH', `/comments/${id}`, { text: 'b' }))).toEqual(locked)
    expect(refusal(await send('PUT', `/comments/${id}`, { ticket_id: ticket, text: 'b' }))).toEqual(locked)
    expect(refusal(await send('DELETE', `/comments/${id}`))).toEqual(locked)
    for (const [comments, at] of [
      [{ update: [{ id, text: 'b' }] }, '/comments/update/0'],
      [{ delete: [id] }, '/comments/delete/0'],
    ] as const)
      expect(refusal(await send('PATCH', `/tickets/${ticket}`, { comments }))).toEqual([...locked, at])
    expect(desk.sql.prepare('select text from comments where id = ?').pluck().get(id)).toBe('early')
  })
})

describe('the webhook', () => {
  const heard: Json[] = []
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      request.on('end', () => {
        const message: Json = JSON.parse(body)
        const stored = desk.sql.prepare('select status from tickets where id = ?').pluck()
        heard.push({ ...message, stored: stored.get(message['ticket']) })
        response.end()
        server.emit('heard')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return () => server.close()
  })
  beforeEach(() => {
    heard.length = 0
    vi.stubEnv('WEBHOOK_URL', `http://127.0.0.1:${Object(server.address()).port}`)
  })

  const hearing = async (act: () => Promise<unknown>): Promise<Json | undefined> => {
    const next = once(server, 'heard')
    await act()
    await next
    return heard.at(-1)
  }

  it('tells of a new, a changed and a closed ticket, when the change is stored', async () => {
    const created = await hearing(() => newTicket())
    expect(created).toEqual({
      ...{ event: 'create', status: 'open', stored: 'open', ticket: expect.any(Number) },
    })
    const path = `/tickets/${created?.['ticket']}`
    expect(await hearing(() => acme.requester.send('PATCH', path, { subject: 'Chair' }))).toMatchObject({
      event: 'update',
    })
    const close = () => acme.agent.send('POST', `${path}/close`, { reason: 'Solved.' })
    expect(await hearing(close)).toMatchObject({ event: 'update', status: 'closed', stored: 'closed' })
  })

  it('does not tell of what was refused or rolled back', async () => {
    const closed = await newTicket()
    await acme.agent.send('POST', `/tickets/${closed}/close`, { reason: 'Solved.' })
    await vi.waitFor(() => expect(heard.map(({ ticket }) => ticket)).toEqual([closed, closed]))
    const { send } = acme.agent
    const twice = { subject: 'Lamp', tags: [acme.tag, 999_999] }
    expect((await send('POST', '/tickets/', twice)).status).toBe(422)
    const rolledBack = { comments: { create: [{ text: 'x' }], update: [{ id: 999_999, text: 'y' }] } }
    expect((await send('PATCH', `/tickets/${closed}`, rolledBack)).status).toBe(422)
    expect((await send('POST', `/tickets/${closed}/close`, { reason: 'Again.' })).status).toBe(409)
    // The next message is that of the next change.
    const next = await hearing(() => newTicket({ subject: 'After' }))
    expect(heard.slice(2)).toEqual([next])
  })
})
