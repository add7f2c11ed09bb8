import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Desk,
  type Json,
  type Organisation,
  openDesk,
  organisationOf,
  PASSWORD,
  type Reply,
  type User,
} from './stage.ts'

const SOLVED = { status: 'closed', reason: 'Solved.' }

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
    await acme.agent.send('PATCH', `/tickets/${id}`, SOLVED)
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
    const id = await newTicket()
    const { send } = acme.agent
    for (const reason of [undefined, '', '  ', null])
      expect(refusal(await send('PATCH', `/tickets/${id}`, { status: 'closed', reason }))).toEqual([
        ...[422, 'wrong_reason'],
      ])
    expect(refusal(await send('PATCH', `/tickets/${id}`, { reason: 'x' }))).toEqual([422, 'wrong_reason'])
    const born = { subject: 'Lamp', status: 'closed' }
    expect(refusal(await send('POST', '/tickets/', born))).toEqual([422, 'wrong_reason'])
  })

  it('is for agents, and not possible twice, unless one of them opens the ticket again', async () => {
    const id = await newTicket()
    const change = ({ send }: User, body: object) => send('PATCH', `/tickets/${id}`, body)
    expect(refusal(await change(acme.requester, SOLVED))).toEqual([
      ...[422, 'invalid_body', '/status', '/reason'],
    ])
    expect((await change(acme.agent, SOLVED)).json).toMatchObject(SOLVED)
    const again = { ...SOLVED, reason: 'Solved again.' }
    expect(refusal(await change(acme.admin, again))).toEqual([409, 'ticket_closed'])
    expect((await change(acme.requester, { subject: 'Chair' })).status).toBe(200)
    expect((await change(acme.agent, { status: 'open', reason: null })).status).toBe(200)
    expect((await change(acme.admin, again)).json).toMatchObject(again)
  })

  it('happens once, also by requests at the same time', async () => {
    const id = await newTicket()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        acme.agent.send('PATCH', `/tickets/${id}`, { status: 'closed', reason: `Reason ${at}` }),
      ),
    )
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(new Set(replies.filter((reply) => !won.includes(reply)).map(({ json }) => json['code']))).toEqual(
      new Set(['ticket_closed']),
    )
    expect((await acme.agent.send('GET', `/tickets/${id}`)).json['reason']).toBe(won[0]?.json['reason'])
  })

  it('of fifty at once has an entry for each, and closes all or none', async () => {
    const { agent, requester } = acme
    const subjects = Array.from({ length: 50 }, (_, at) => ({ subject: `Printer ${at}` }))
    const made = JSON.parse((await requester.send('POST', '/tickets/', subjects)).text) as readonly Json[]
    expect(made).toHaveLength(50)
    const path = '/tickets/?q=subject=Printer'
    const dry = await agent.send('PATCH', `${path}&dry_run=true`, SOLVED)
    expect(dry.json).toEqual({ count: 50, dry_run: true })
    const odd = made.map(({ id }, at) => ({ id, ...SOLVED, ...(at === 33 && { reason: '' }) }))
    expect(refusal(await agent.send('PATCH', '/tickets/', odd))).toEqual([422, 'wrong_reason', '/33'])
    expect(itemsOf(await agent.send('GET', `${path}&status=closed`))).toEqual([])
    expect((await agent.send('PATCH', path, SOLVED)).json).toEqual({ count: 50, dry_run: false })
    const query = new URLSearchParams({ q: 'model==Ticket&act=update', count: 'exact', limit: '50' })
    const entries = await acme.admin.send('GET', `/audit-entries/?${query}&sort=id&order=desc`)
    const ofEach = new Map(itemsOf(entries).map((entry) => [entry['record'], entry]))
    expect(ofEach.size).toBe(50)
    for (const { id } of made)
      expect(ofEach.get(String(id))).toMatchObject({
        ...{ caller: String(agent.id), organisation_id: acme.id },
        changes: {
          status: { before: 'open', after: 'closed' },
          reason: { before: null, after: 'Solved.' },
          revision: { before: 1, after: 2 },
        },
      })
  })
})

describe('two agents', () => {
  it('do not overwrite the changes of each other', async () => {
    const path = `/tickets/${await newTicket()}`
    const [{ etag }, other] = [await acme.agent.send('GET', path), await acme.admin.send('GET', path)]
    expect(other.etag).toBe(etag)
    const tag = { 'if-match': String(etag) }
    const first = await acme.agent.send('PATCH', path, { internal_note: 'Call back.' }, tag)
    expect(first.json).toMatchObject({ revision: 2, internal_note: 'Call back.' })
    const late = await acme.admin.send('PATCH', path, { internal_note: 'Ignore.' }, tag)
    expect(refusal(late)).toEqual([412, 'precondition_failed'])
    expect(refusal(await acme.admin.send('DELETE', path, undefined, tag))).toEqual([
      ...[412, 'precondition_failed'],
    ])
    const { json, etag: now } = await acme.admin.send('GET', path)
    expect(json['internal_note']).toBe('Call back.')
    const again = await acme.admin.send(
      'PATCH',
      path,
      { internal_note: 'Done.' },
      { 'if-match': String(now) },
    )
    expect(again.json).toMatchObject({ revision: 3 })
    const unchanged = await acme.admin.send('GET', path, undefined, { 'if-none-match': String(again.etag) })
    expect(unchanged.status).toBe(200)
  })
})

describe('a deleted ticket', () => {
  it('is gone for everyone, with its comments and files, until an administrator restores it', async () => {
    const { admin, agent, requester } = acme
    const id = await newTicket({ comments: [{ text: 'with it' }], tags: [acme.tag] })
    const path = `/tickets/${id}`
    const comments = '/comments/?q=text=with'
    expect((await agent.send('DELETE', path)).status).toBe(204)
    for (const { send } of [admin, agent, requester]) {
      expect((await send('GET', path)).status).toBe(404)
      expect(itemsOf(await send('GET', `/tickets/?id=${id}`))).toEqual([])
      expect(itemsOf(await send('GET', comments))).toEqual([])
      expect((await send('POST', '/comments/', { ticket_id: id, text: 'x' })).status).toBe(422)
    }
    const deleted = itemsOf(await admin.send('GET', `/tickets/?deleted=only&q=id=${id}`))
    expect(deleted).toMatchObject([{ id, deleted_at: expect.any(String) }])
    expect((await admin.send('POST', `${path}/restore`)).json).toMatchObject({ id, deleted_at: null })
    expect((await requester.send('GET', path)).json).toMatchObject({ id, comment_count: 1 })
    expect(itemsOf(await requester.send('GET', comments))).toHaveLength(1)
    expect(refusal(await admin.send('POST', `${path}/restore`))).toEqual([404, 'not_found'])
    const query = `q=${encodeURIComponent(`model==Ticket&record==${id}`)}&sort=id&fields=act,caller`
    expect(itemsOf(await admin.send('GET', `/audit-entries/?${query}`))).toMatchObject([
      { act: 'create', caller: String(requester.id) },
      { act: 'delete', caller: String(agent.id) },
      { act: 'update', caller: String(admin.id) },
    ])
  })

  it('that was closed stays closed when it is restored', async () => {
    const path = `/tickets/${await newTicket()}`
    await acme.agent.send('PATCH', path, SOLVED)
    expect((await acme.agent.send('DELETE', path)).status).toBe(204)
    expect((await acme.admin.send('POST', `${path}/restore`)).json).toMatchObject(SOLVED)
  })
})

describe('passwords', () => {
  const login = (email: string, password: string): Promise<Reply> =>
    desk.send('POST', '/auth/login', { email, password })
  const NEW = 'a chair for every desk'

  it('are changed by their users, whose other sessions end', async () => {
    const user = await desk.user('Changing')
    const change = (old_password: string) =>
      user.send('POST', '/auth/password/change', { old_password, new_password: NEW })
    expect(refusal(await change('not this one'))).toEqual([422, 'invalid_body', '/old_password'])
    const { status, json } = await change(PASSWORD)
    expect(status).toBe(200)
    expect((await user.send('GET', '/auth/me')).status).toBe(401)
    const headers = { authorization: `Bearer ${json['access']}` }
    expect((await desk.send('GET', '/auth/me', undefined, headers)).status).toBe(200)
    expect((await login('changing@example.com', PASSWORD)).status).toBe(401)
    expect((await login('changing@example.com', NEW)).status).toBe(200)
  })

  it('are reset by the token of a mail, once', async () => {
    const user = await desk.user('Forgetful')
    const email = 'forgetful@example.com'
    const mail = desk.nextMail()
    expect((await desk.send('POST', '/auth/password/reset', { email })).status).toBe(202)
    const { address, text } = await mail
    expect(address).toBe(email)
    const body = { token: text.split(' ').at(-1), password: NEW }
    const confirm = () => desk.send('POST', '/auth/password/reset/confirm', body)
    expect((await confirm()).status).toBe(204)
    expect(refusal(await confirm())).toEqual([422, 'invalid_body', '/token'])
    expect((await user.send('GET', '/auth/me')).status).toBe(401)
    expect((await login(email, NEW)).status).toBe(200)
  })

  it('of unknown addresses get the same response, and no mail', async () => {
    const known = { email: 'acmeagent@example.com' }
    const replies = [await desk.send('POST', '/auth/password/reset', { email: 'nobody@example.com' })]
    const mail = desk.nextMail()
    replies.push(await desk.send('POST', '/auth/password/reset', known))
    expect((await mail).address).toBe(known.email)
    expect(replies[0]).toEqual(replies[1])
    expect(desk.mails.map(({ address }) => address)).not.toContain('nobody@example.com')
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
    const close = () => acme.agent.send('PATCH', path, SOLVED)
    expect(await hearing(close)).toMatchObject({ event: 'update', status: 'closed', stored: 'closed' })
  })

  it('does not tell of what was refused or rolled back', async () => {
    const closed = await newTicket()
    await acme.agent.send('PATCH', `/tickets/${closed}`, SOLVED)
    await vi.waitFor(() => expect(heard.map(({ ticket }) => ticket)).toEqual([closed, closed]))
    const { send } = acme.agent
    const twice = { subject: 'Lamp', tags: [acme.tag, 999_999] }
    expect((await send('POST', '/tickets/', twice)).status).toBe(422)
    const rolledBack = { comments: { create: [{ text: 'x' }], update: [{ id: 999_999, text: 'y' }] } }
    expect((await send('PATCH', `/tickets/${closed}`, rolledBack)).status).toBe(422)
    const again = { ...SOLVED, reason: 'Again.' }
    expect((await send('PATCH', `/tickets/${closed}`, again)).status).toBe(409)
    const both = [
      { id: acme.ticket, ...SOLVED },
      { id: closed, ...again },
    ]
    expect(refusal(await send('PATCH', '/tickets/', both))).toEqual([409, 'ticket_closed', '/1'])
    // The next message is that of the next change.
    const next = await hearing(() => newTicket({ subject: 'After' }))
    expect(heard.slice(2)).toEqual([next])
  })
})
