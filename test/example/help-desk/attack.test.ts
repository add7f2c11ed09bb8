import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Attempt } from '../attempts.ts'
import {
  attemptsOn,
  type Desk,
  type Json,
  type Organisation,
  openDesk,
  organisationOf,
  type Reply,
  type User,
} from './stage.ts'

/** Acme is founded first, so every record with the key 1 is one of Acme. */
let desk: Desk
let acme: Organisation
let evil: Organisation
const KEY = 1
const NOBODY = 999_999

beforeEach(async () => {
  desk = await openDesk()
  acme = await organisationOf(desk, 'Acme')
  evil = await organisationOf(desk, 'Evil')
})
afterEach(() => desk.stop())

const send = ({ method, path, body }: Omit<Attempt, 'id'>, { send }: Pick<User, 'send'>): Promise<Reply> =>
  send(method, path, body)

/** All that the database has of Acme. */
const rowsOfAcme = (): Readonly<Record<string, readonly unknown[]>> => {
  const tickets = `select id from tickets where organisation_id = ${acme.id}`
  const conditions = {
    organisations: `id = ${acme.id}`,
    users: `organisation_id = ${acme.id}`,
    tickets: `organisation_id = ${acme.id}`,
    tags: `organisation_id = ${acme.id}`,
    comments: `ticket_id in (${tickets})`,
    ticket_tags: `ticket_id in (${tickets})`,
    attachments: `ticket_id in (${tickets})`,
    audit_entries: `organisation_id = ${acme.id}`,
  }
  return Object.fromEntries(
    Object.entries(conditions).map(([table, condition]) => [
      table,
      desk.sql.prepare(`select * from ${table} where ${condition}`).all(),
    ]),
  )
}

const rolesOf = (): unknown =>
  desk.sql.prepare('select id, organisation_id, role from users order by id').all()

const everyUser = (): readonly User[] => [evil.admin, evil.agent, evil.requester]

describe('the document', () => {
  it('lists what the attacks ask for', async () => {
    const attempts = await attemptsOn(desk, KEY, 'x')
    const names = new Set(attempts.map(({ name }) => name))
    expect(names.size).toBeGreaterThan(50)
    expect([...names]).toEqual(
      expect.arrayContaining([
        ...['PATCH /tickets/{id}', 'POST /organisations/join', 'GET /tickets/aggregate'],
        ...['PATCH /tickets/', 'DELETE /tickets/', 'POST /tickets/{id}/restore'],
        ...['GET /audit-entries/', 'GET /audit-entries/{id}', 'GET /organisations/{id}/audit_entries/'],
      ]),
    )
    const requests = attempts.map(({ method, path, body }) => [
      `${method} ${path}`,
      Array.isArray(body) ? 'many' : typeof body,
    ])
    expect(requests).toEqual(
      expect.arrayContaining([
        ...['POST', 'PATCH'].map((method) => [`${method} /tickets/`, 'many']),
        ...[
          ['PATCH /tickets/?id=1', 'object'],
          ['DELETE /tickets/?id=1', 'undefined'],
        ],
        ...['/tickets/', '/tickets/1', '/organisations/1/tickets/'].map((path) => [
          ...[`GET ${path}?deleted=only`, 'undefined'],
        ]),
      ]),
    )
  })
})

describe('another organisation', () => {
  it('sees and changes nothing, on any route, with any role', async () => {
    const before = rowsOfAcme()
    const stranger = await desk.user('Stranger')
    const attempts = await attemptsOn(desk, KEY, 'Intrusion')
    for (const caller of [...everyUser(), stranger])
      for (const attempt of attempts) {
        const { text } = await send(attempt, caller)
        expect([attempt.name, text.toLowerCase()]).toEqual([
          attempt.name,
          expect.not.stringContaining('acme'),
        ])
        expect([attempt.name, text]).toEqual([attempt.name, expect.not.stringContaining(acme.joinCode)])
      }
    expect(rowsOfAcme()).toEqual(before)
  })

  it('gets the same responses for a record of Acme and for one that does not exist', async () => {
    // Only the path of the request differs.
    const alike = ({ status, text }: Reply): unknown => [
      status,
      text.replaceAll(/"[^"]*\/(1|999999)\b[^"]*"/g, 'path'),
    ]
    const attempts = await attemptsOn(desk, KEY, 'Intrusion')
    const toNobody = await attemptsOn(desk, NOBODY, 'Intrusion')
    for (const caller of everyUser())
      for (const [at, attempt] of attempts.entries()) {
        const other = toNobody[at] as Attempt
        const isAboutKey =
          attempt.path !== other.path || JSON.stringify(attempt.body) !== JSON.stringify(other.body)
        if (!isAboutKey) continue
        const reply = await send(attempt, caller)
        const isMany = attempt.path.startsWith('/tickets/?') || attempt.path === '/tickets/'
        expect([attempt.name, reply.status]).toEqual([
          attempt.name,
          expect.toBeOneOf([403, 404, 405, 422, ...(isMany ? [200, 400] : [])]),
        ])
        expect([attempt.name, alike(reply)]).toEqual([attempt.name, alike(await send(other, caller))])
      }
  })

  it('gets the same lists and counts, whatever Acme has', async () => {
    const gets = (await attemptsOn(desk, KEY, 'x')).filter(({ method }) => method === 'GET')
    const own = (await attemptsOn(desk, evil.ticket, 'x')).filter(({ method }) => method === 'GET')
    const probes = [
      '/users/?organisation.name=Acme',
      '/tickets/?organisation.users.name=Acmeagent',
      '/tickets/?q=!(organisation.tickets.subject=Acme)',
      '/organisations/?include=users(count=exact),tickets(count=exact).comments,tags(count=exact)',
      '/users/?include=organisation.tickets,requester_tickets,comments&sort=organisation.name',
      '/tags/?include=tickets(count=exact).requester',
      '/tickets/aggregate?group=status&tags.name=Acmetag',
      '/users/aggregate?group=organisation_id,role',
      '/audit-entries/?sort=id&order=desc&limit=1&count=exact',
      '/audit-entries/aggregate?group=model,act&aggregate=count,max(id)&q=model!=Ticket',
      '/audit-entries/?organisation.tickets.subject=Acme',
      '/organisations/?include=audit_entries(count=exact)&audit_entries.record=1',
      '/tickets/?deleted=only&count=exact',
      '/tickets/?deleted=with&organisation.name=Acme',
    ].map((path) => ({ name: path, method: 'GET', path, body: undefined }))
    const all = [...gets, ...own, ...probes]
    const answers = async () => {
      const replies: unknown[] = []
      for (const attempt of all)
        for (const caller of everyUser()) replies.push([attempt.name, (await send(attempt, caller)).text])
      return replies
    }
    const before = await answers()
    const more = { subject: 'Acmemore', comments: [{ text: 'Acmemore' }], tags: [acme.tag] }
    await acme.requester.send('POST', '/tickets/', more)
    await acme.agent.send('POST', '/tags/', { name: 'Eviltag' })
    await acme.agent.send('PATCH', '/tickets/?q=status=open', { status: 'closed', reason: 'Solved.' })
    await acme.agent.send('DELETE', `/tickets/${acme.ticket}`)
    expect(await answers()).toEqual(before)
  })

  it('cannot read a file without its signature', async () => {
    const { json } = await acme.agent.send('GET', '/attachments/1')
    const [path = '', query] = String(json['content']).split('?')
    expect((await desk.send('GET', `${path}?${query}`)).text).toBe('Acme')
    for (const { send } of everyUser()) expect((await send('GET', path)).status).toBe(404)
    expect((await desk.send('GET', path)).status).toBe(401)
  })
})

describe('a requester of the same organisation', () => {
  it('sees and changes nothing of the tickets of others', async () => {
    const colleague = await desk.user('Colleague')
    await colleague.send('POST', '/organisations/join', { join_code: acme.joinCode })
    const before = rowsOfAcme()
    const hidden = [/Acme(subject|text|first|second|note|binned)/, /acme\w+@/, new RegExp(acme.joinCode)]
    for (const attempt of await attemptsOn(desk, KEY, 'Intrusion')) {
      const { text } = await send(attempt, colleague)
      for (const pattern of hidden)
        expect([attempt.name, text]).toEqual([attempt.name, expect.not.stringMatching(pattern)])
    }
    const after = rowsOfAcme()
    for (const [table, rows] of Object.entries(before))
      expect([table, after[table]]).toEqual([table, expect.arrayContaining([...rows])])
  })
})

describe('writes of many tickets', () => {
  const closed = { status: 'closed', reason: 'Intrusion' }
  const refusal = ({ status, json }: Reply): readonly unknown[] => [
    ...[status, json['code']],
    ...((json['errors'] ?? []) as readonly Json[]).map(({ pointer }) => pointer),
  ]

  it('never reach the tickets of another organisation', async () => {
    const before = rowsOfAcme()
    for (const { send } of [evil.admin, evil.agent]) {
      for (const query of [
        'status=open',
        'id>0',
        'organisation.name=Acme',
        `requester_id=${acme.requester.id}`,
      ])
        for (const dryRun of ['true', 'false']) {
          const path = `/tickets/?q=${encodeURIComponent(query)}&dry_run=${dryRun}`
          const own = await send('GET', `/tickets/?q=${encodeURIComponent(query)}&count=exact`)
          const { json } = await send('PATCH', path, closed)
          expect([query, json['count']]).toEqual([query, own.json['count']])
        }
      const mixed = [
        { id: evil.ticket, internal_note: 'x' },
        { id: acme.ticket, internal_note: 'x' },
      ]
      expect(refusal(await send('PATCH', '/tickets/', mixed))).toEqual([404, 'not_found', '/1'])
      const moved = { ...{ subject: 'x', organisation_id: acme.id } }
      expect(refusal(await send('POST', '/tickets/', [moved]))).toEqual([
        ...[422, 'invalid_body', '/0/organisation_id'],
      ])
      const given = [{ id: evil.ticket, assignee_id: acme.agent.id }]
      expect(refusal(await send('PATCH', '/tickets/', given))).toEqual([
        ...[422, 'invalid_body', '/0/assignee_id'],
      ])
    }
    expect((await evil.agent.send('DELETE', '/tickets/?q=id>0')).json).toEqual({ count: 1, dry_run: false })
    expect(rowsOfAcme()).toEqual(before)
  })

  it('of requesters neither close nor delete, and stay with their own', async () => {
    const { send } = acme.requester
    const other = await acme.agent.send('POST', '/tickets/', { subject: 'Not theirs' })
    const before = rowsOfAcme()
    expect(refusal(await send('PATCH', '/tickets/?q=id>0', closed))).toEqual([
      ...[422, 'invalid_body', '/status', '/reason'],
    ])
    expect(refusal(await send('PATCH', '/tickets/', [{ id: acme.ticket, ...closed }]))).toEqual([
      ...[422, 'invalid_body', '/0/status', '/0/reason'],
    ])
    expect((await send('DELETE', '/tickets/?q=id>0')).status).toBe(403)
    expect((await send('DELETE', `/tickets/${acme.ticket}`)).status).toBe(403)
    const theirs = [acme.ticket, other.json['id']].map((id) => ({ id, subject: 'x' }))
    expect(refusal(await send('PATCH', '/tickets/', theirs))).toEqual([404, 'not_found', '/1'])
    expect(rowsOfAcme()).toEqual(before)
    expect((await send('PATCH', '/tickets/?q=id>0', { subject: 'x' })).json['count']).toBe(1)
  })
})

describe('deleted tickets and the audit log', () => {
  it('are for administrators of the organisation', async () => {
    const before = rowsOfAcme()
    const [entry] = before['audit_entries'] as readonly Json[]
    for (const { send } of [acme.agent, acme.requester]) {
      for (const path of [
        '/tickets/?deleted=only',
        '/tickets/?deleted=with',
        `/tickets/${acme.deleted}?deleted=only`,
      ])
        expect([path, (await send('GET', path)).status]).toEqual([path, 403])
      expect((await send('POST', `/tickets/${acme.deleted}/restore`)).status).toBe(403)
      for (const path of ['/', `/${entry?.['id']}`, '/aggregate'].map((end) => `/audit-entries${end}`))
        expect([path, (await send('GET', path)).status]).toEqual([path, 403])
      for (const path of [
        '/organisations/?include=audit_entries',
        '/organisations/?audit_entries.record=1',
        `/organisations/${acme.id}/audit_entries/`,
      ])
        expect([path, (await send('GET', path)).status]).toEqual([path, 403])
    }
    expect(rowsOfAcme()).toEqual(before)
  })

  it('of another organisation do not exist for its administrators', async () => {
    const { send } = evil.admin
    const before = rowsOfAcme()
    for (const query of ['only', 'with'])
      expect((await send('GET', `/tickets/${acme.deleted}?deleted=${query}`)).status).toBe(404)
    expect((await send('POST', `/tickets/${acme.deleted}/restore`)).status).toBe(404)
    const entries = desk.sql.prepare('select id, organisation_id, changes from audit_entries').all() as Json[]
    const theirs = entries.filter(({ organisation_id }) => organisation_id === acme.id)
    expect(theirs.length).toBeGreaterThan(8)
    for (const { id } of theirs) expect((await send('GET', `/audit-entries/${id}`)).status).toBe(404)
    const seen = (await send('GET', '/audit-entries/')).json['items'] as Json[]
    expect(seen.map(({ id }) => id)).toEqual(
      entries.flatMap(({ id, organisation_id }) => (organisation_id === evil.id ? [id] : [])),
    )
    expect(rowsOfAcme()).toEqual(before)
  })

  it('have what a user did before they joined an organisation for none', async () => {
    const eve = await desk.user('Eve')
    expect((await eve.send('PATCH', `/users/${eve.id}`, { name: 'Evelyn' })).status).toBe(200)
    const last = desk.sql.prepare(
      'select id, organisation_id, caller, model from audit_entries order by id desc',
    )
    expect(last.get()).toMatchObject({ organisation_id: null, caller: String(eve.id), model: 'User' })
    await eve.send('POST', '/organisations/join', { join_code: evil.joinCode })
    for (const { admin } of [acme, evil])
      expect((await admin.send('GET', '/audit-entries/?q=changes=Evelyn')).text).not.toContain('Evelyn')
  })

  it('cannot be written by clients', async () => {
    const before = rowsOfAcme()
    for (const [method, path] of [
      ['POST', '/audit-entries/'],
      ['PATCH', '/audit-entries/1'],
      ['PUT', '/audit-entries/1'],
      ['DELETE', '/audit-entries/1'],
      ['POST', `/organisations/${acme.id}/audit_entries/`],
    ] as const)
      expect([method, (await acme.admin.send(method, path, {})).status]).toEqual([method, 405])
    expect(rowsOfAcme()).toEqual(before)
  })
})

describe('without a token', () => {
  it('every route is a 401', async () => {
    const before = rowsOfAcme()
    for (const attempt of await attemptsOn(desk, KEY, 'Intrusion')) {
      // A request that is invalid for every caller is refused first.
      const isIncomplete = `${attempt.method} ${attempt.path}` === 'DELETE /tickets/'
      // No entry exists for a caller without an organisation.
      const isEntry = attempt.name === 'GET /audit-entries/{id}'
      // It says what this caller may do: nothing.
      const isOpen = attempt.name === 'GET /access'
      const { status, text } = await send(attempt, desk)
      if (isOpen) expect(text).not.toContain('"allowed"')
      expect([attempt.name, status]).toEqual([
        attempt.name,
        isIncomplete ? 400 : isEntry ? 404 : isOpen ? 200 : 401,
      ])
    }
    expect(rowsOfAcme()).toEqual(before)
  })
})

describe('roles and organisations', () => {
  it('do not change by any member of any body', async () => {
    const before = rolesOf()
    const extra = {
      ...{ role: 'admin', organisation_id: evil.id, organisation: { id: evil.id } },
      ...{ requester: { role: 'admin' }, author: { role: 'admin' }, users: [{ id: 1, role: 'admin' }] },
    }
    const callers = [acme.requester, acme.agent]
    for (const caller of callers)
      for (const key of [caller.id, acme.ticket])
        for (const attempt of await attemptsOn(desk, key, 'Intrusion')) {
          if (attempt.body === undefined || attempt.body instanceof FormData || attempt.path.includes('?'))
            continue
          const isMany = Array.isArray(attempt.body)
          const own = (isMany ? attempt.body[0] : attempt.body) as Json
          for (const [name, value] of Object.entries(extra)) {
            const sendAs = (body: object) => send({ ...attempt, body: isMany ? [body] : body }, caller)
            const comments = { create: [{ text: 'x', [name]: value }] }
            await sendAs({ ...own, [name]: value })
            await sendAs({ [name]: value })
            await sendAs({ ...own, comments })
            await sendAs({ ...own, comments: comments.create })
          }
        }
    expect(rolesOf()).toEqual(before)
  })

  it('do not change by registration', async () => {
    for (const extra of [{ role: 'admin' }, { organisation_id: acme.id }, { id: 77 }, { is_admin: true }]) {
      const body = { email: 'eve@example.com', name: 'Eve', password: 'a lamp for every desk', ...extra }
      const { status, json } = await desk.send('POST', '/auth/register', body)
      const [{ pointer }] = json['errors'] as [Json]
      expect([status, pointer]).toEqual([422, `/${Object.keys(extra)[0]}`])
    }
    const eve = await desk.user('Eve')
    expect((await eve.send('GET', '/auth/me')).json).toEqual({ id: eve.id, name: 'Eve', role: 'requester' })
    expect(rolesOf()).toContainEqual(expect.objectContaining({ id: eve.id, organisation_id: null }))
  })

  it.each(['admin', 'agent', 'requester'] as const)('are not changed by %s for themselves', async (role) => {
    const { id, send } = acme[role]
    for (const wanted of ['admin', 'agent', 'requester']) {
      const { status, json } = await send('PATCH', `/users/${id}`, { role: wanted })
      const isSame = wanted === role
      expect([wanted, status, json['code']]).toEqual(
        isSame ? [wanted, 200, undefined] : [wanted, 403, 'not_your_change'],
      )
    }
    expect((await send('PATCH', `/users/${id}`, { name: 'New' })).status).toBe(200)
  })

  it('of others change only by administrators, who cannot change their addresses', async () => {
    const { admin, agent, requester } = acme
    const path = `/users/${requester.id}`
    expect((await agent.send('PATCH', path, { role: 'agent' })).status).toBe(403)
    expect((await admin.send('PATCH', path, { email: 'new@example.com' })).json['code']).toBe(
      'not_your_change',
    )
    expect((await admin.send('PATCH', path, { role: 'agent' })).json).toMatchObject({ role: 'agent' })
  })

  it('are given once, also by requests at the same time', async () => {
    const eve = await desk.user('Eve')
    const replies = await Promise.all([
      eve.send('POST', '/organisations/found', { name: 'One' }),
      eve.send('POST', '/organisations/join', { join_code: acme.joinCode }),
      eve.send('POST', '/organisations/found', { name: 'Two' }),
    ])
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused.map(({ json }) => json['code'])).toEqual(['already_member', 'already_member'])
    const organisations = Number(desk.sql.prepare('select count(*) from organisations').pluck().get())
    const isFounder = replies[1]?.status === 409
    expect(organisations).toBe(isFounder ? 3 : 2)
    const joined = await evil.admin.send('POST', '/organisations/join', { join_code: acme.joinCode })
    expect([joined.status, joined.json['code']]).toEqual([409, 'already_member'])
  })
})
