import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { controllerFor, defineSettings, HttpError } from '../../src/index.ts'
import { type App, onFastify } from '../stage/apps.ts'
import { ada, secret } from '../stage/auth-service.ts'
import { counted, type Declared, int, maybe, text, to } from '../stage/columns.ts'
import { keyColumns } from '../stage/key-columns.ts'
import { type Answer, type Send, senderTo } from '../stage/requests.ts'
import { refusalOf } from '../stage/service.ts'
import { listOf, numbered } from './bulk/stage.ts'
import { declaredPlace, orms } from './declared-orms.ts'
import { onEachKind, type Place } from './orm-places.ts'
import { executeWithOrm } from './orm-things.ts'
import { countUp } from './versions/counters.ts'

/** Records that many are written of at once, cards whose version the ORM raises if it can, users, and an audit log of labels. */
const declared: Declared = {
  items: {
    ...{ id: counted, sku: maybe(20, { unique: 'items_sku_key' }) },
    ...{ price: int({ check: 'price < 1000' }), quantity: int({ default: 1 }) },
  },
  labels: { code: text(20, { key: 'given' }), text: text(40) },
  notes: { page: int({ key: 'given' }), line: int({ key: 'given' }), text: maybe(40) },
  cards: {
    ...{ id: counted, title: text(20), revision: int({ default: 0, version: true }) },
    deleted_at: maybe('time'),
  },
  card_lines: { id: counted, card_id: to('cards'), text: text(20) },
  users: { id: counted, email: text(100, { unique: 'users_email_key' }), password: text(255) },
  profiles: { id: counted, user_id: to('users') },
  api_keys: keyColumns,
  audit_entries: {
    ...{ id: counted, at: { type: 'time' }, caller: maybe(255), act: text(10), model: text(100) },
    ...{ record: text(500), changes: { type: 'json' } },
  },
}

const bulk = { bulk: true, public: true } as const
const modelConfig = {
  ...{ Item: bulk, Label: bulk, Note: bulk, CardLine: bulk },
  Card: { ...bulk, version: 'revision', softDelete: 'deleted_at', write: ['card_lines'] },
  AuditEntry: { public: true, internal: false },
}

/** As in a cluster of several servers that write. */
const countingBy3 = async (
  { headers }: { readonly headers: Readonly<Record<string, unknown>> },
  payload: object,
  _schema: unknown,
  { db }: { readonly db: unknown },
): Promise<object> => {
  if (headers['x-counting'] === '3') await executeWithOrm(db, 'set session auto_increment_increment = 3')
  return payload
}

// What drizzle does here is tested feature by feature.
describe.each(Object.entries(orms))('every feature on %s', (orm, open) => {
  onEachKind(`every feature on ${orm}`, (kind) => {
    let place: Place
    let app: App
    let send: Send
    let end: () => Promise<unknown>
    let statements: string[] = []
    let isRefused = true
    const refer = (id: unknown) => place.rows(`insert into profiles (user_id) values (${Number(id)})`)
    const ON_REGISTER = async (user: object): Promise<void> => {
      await refer(Reflect.get(user, 'id'))
      if (isRefused) throw new HttpError(403, 'Only colleagues may register.')
    }
    beforeAll(async () => {
      place = await declaredPlace(kind, declared)
      const { models, ...opened } = await open(place, declared, (sql) => statements.push(sql))
      end = opened.end
      app = await onFastify(
        {
          ...{ models, modelConfig, auth: true, audit: ['Label'] },
          controllers: [controllerFor('Item', { beforeCreate: countingBy3 } as never)],
          // Clients that race without a pause are no overload, and a slow machine no fault.
          settings: defineSettings({
            ...{ MAX_WAITING: 0, TRANSACTION_TIMEOUT: 60 },
            SERVICE_AUTH: { JWT_SECRET: secret, ON_REGISTER, API_KEYS: true },
          }),
        } as never,
        { base: '' },
      )
      send = senderTo(app)
    })
    beforeEach(async () => {
      for (const table of ['items', 'labels', 'notes', 'card_lines', 'cards', 'audit_entries'])
        await place.rows(`delete from ${table}`)
      statements = []
    })
    afterAll(async () => {
      await app?.stop()
      await end?.()
      await place?.drop()
    })

    const stored = (): Promise<readonly unknown[]> => place.rows('select sku, price from items order by id')

    test('many records are stored in their order, with their defaults and generated keys', async () => {
      const reply = await send('POST', '/items/', {
        body: [
          { sku: 'c', price: 3 },
          { price: 1, quantity: 7 },
          { sku: 'a', price: 2 },
        ],
      })
      expect(reply.status, reply.text).toBe(201)
      const items = listOf(reply)
      expect(items.map(({ id: _id, ...item }) => item)).toEqual([
        { sku: 'c', price: 3, quantity: 1 },
        { sku: null, price: 1, quantity: 7 },
        { sku: 'a', price: 2, quantity: 1 },
      ])
      for (const item of items) expect((await send('GET', `/items/${item['id']}`)).json).toEqual(item)
      const labels = ['z', 'a', 'M'].map((code) => ({ code, text: `${code}'$1\\"?:x` }))
      expect(listOf(await send('POST', '/labels/', { body: labels }))).toEqual(labels)
      const notes = [2, 1, 3].map((line) => ({ page: 1, line, text: null }))
      expect(listOf(await send('POST', '/notes/', { body: notes }))).toEqual(notes)
    })

    if (kind === 'mysql' || kind === 'mariadb')
      test('many records have the keys that the database counts', async () => {
        const body = numbered(5, (at) => ({ sku: `s${at}`, price: at }))
        const reply = await send('POST', '/items/', { body, headers: { 'x-counting': '3' } })
        const items = listOf(reply)
        const ids = items.map(({ id }) => Number(id))
        expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + 3 * at))
        expect(items.map(({ sku }) => sku)).toEqual(body.map(({ sku }) => sku))
        expect(await place.rows('select id from items order by id')).toEqual(ids.map((id) => ({ id })))
      })

    test('many records are stored in few statements', async () => {
      const body = numbered(1000, (at) => ({ price: at % 999, ...(at % 3 === 0 && { sku: `s${at}` }) }))
      const sorted = [...body].sort((one, other) => Number('sku' in one) - Number('sku' in other))
      const reply = await send('POST', '/items/', { body: sorted })
      expect(reply.status, reply.text.slice(0, 500)).toBe(201)
      expect(statements.length, statements.map((text) => text.slice(0, 60)).join('\n')).toBeLessThanOrEqual(
        15,
      )
      expect(listOf(reply).map(({ price, sku }) => [price, sku])).toEqual(
        sorted.map((item) => [item.price, Reflect.get(item, 'sku') ?? null]),
      )
    })

    test('many records are not stored if one is refused', async () => {
      await place.rows("insert into items (sku, price) values ('taken', 1)")
      const post = (bad: object) =>
        send('POST', '/items/', {
          body: numbered(20, (at) => ({ sku: `s${at}`, price: 1, ...(at === 17 && bad) })),
        })
      expect(refusalOf(await post({ price: 'x' }))).toEqual([422, 'invalid_body', '/17/price wrong_type'])
      expect(refusalOf(await post({ sku: 'taken' }))).toEqual([409, 'unique_conflict', '/17/sku taken'])
      expect(refusalOf(await post({ sku: 's3' }))).toEqual([409, 'unique_conflict', '/17/sku taken'])
      const [status, code, issue] = refusalOf(await post({ price: 5000 }))
      expect([status, code]).toEqual([422, 'invalid_body'])
      expect(issue).toMatch(/^\/17.* constraint$/)
      expect(await stored()).toEqual([{ sku: 'taken', price: 1 }])
    })

    test('many records are changed and deleted, all or none', async () => {
      const body = numbered(10, (at) => ({ sku: `s${at}`, price: at }))
      const made = listOf(await send('POST', '/items/', { body }))
      const ids = made.map(({ id }) => id)
      const changed = await send('PATCH', '/items/', {
        body: [
          { id: ids[9], price: 90 },
          { id: ids[1], sku: null },
        ],
      })
      expect(listOf(changed).map(({ sku, price }) => [sku, price])).toEqual([
        ['s9', 90],
        [null, 1],
      ])
      const before = await stored()
      const refused = await send('PATCH', '/items/', {
        body: [
          { id: ids[0], price: 5 },
          { id: ids[2], sku: 's3' },
        ],
      })
      expect(refusalOf(refused)).toEqual([409, 'unique_conflict', '/1/sku taken'])
      expect(await stored()).toEqual(before)
      const find = (q: string): string => `/items/?q=${encodeURIComponent(q)}`
      expect((await send('PATCH', find('price<3'), { body: { quantity: 9 } })).json).toMatchObject({
        count: 3,
      })
      expect(await place.rows('select id from items where quantity = 9')).toHaveLength(3)
      expect((await send('PATCH', find('price<3'), { body: { price: 5000 } })).status).toBe(422)
      expect((await send('DELETE', find('price>2'))).json).toMatchObject({ count: 7 })
      expect(await stored()).toHaveLength(3)
    })

    const make = async (title = '0'): Promise<{ readonly path: string; readonly first: number }> => {
      const { status, json, text } = await send('POST', '/cards/', { body: { title } })
      expect(status, text).toBe(201)
      return { path: `/cards/${json['id']}`, first: Number(json['revision']) }
    }
    const tagOf = ({ headers }: Answer): string | undefined => headers['etag']
    const patch = (path: string, body: object, tag?: string): Promise<Answer> =>
      send('PATCH', path, { body, ...(tag !== undefined && { headers: { 'if-match': tag } }) })

    test('versions are the tags of records, and guard writes', async () => {
      const { path, first } = await make()
      expect(tagOf(await send('GET', path))).toBe(`"${first}"`)
      const changed = await patch(path, { title: 'a' }, `"${first}"`)
      expect([changed.status, changed.json['revision'], tagOf(changed)]).toEqual([
        ...[200, first + 1, `"${first + 1}"`],
      ])
      const stale = await patch(path, { title: 'b' }, `"${first}"`)
      expect([stale.status, stale.json['code']]).toEqual([412, 'precondition_failed'])
      const headers = { 'if-match': `"${first}"` }
      expect((await send('DELETE', path, { headers })).status).toBe(412)
      expect((await send('PUT', path, { body: { title: 'c' }, headers })).status).toBe(412)
      expect((await patch(path, { revision: 7 })).status).toBe(422)
      const put = await send('PUT', path, { body: { title: 'c' }, headers: { 'if-match': `"${first + 1}"` } })
      expect([put.status, tagOf(put)]).toEqual([200, `"${first + 2}"`])
      expect(tagOf(await send('GET', path))).toBe(`"${first + 2}"`)
    })

    test('versions are raised once for each of the writes that race', async () => {
      const { path, first } = await make()
      const clients = kind === 'postgres' ? 20 : 5
      const refused = await countUp(send, path, { clients, field: 'title', inJson: String })
      expect(refused).toEqual(['412 precondition_failed'])
      const { json } = await send('GET', path)
      expect([json['title'], json['revision']]).toEqual([String(clients), first + clients])
    })

    test('versions are raised by changes of related records', async () => {
      const { path, first } = await make()
      const card_lines = { create: [{ text: 'x' }] }
      const alone = await patch(path, { card_lines })
      expect([alone.status, alone.json['revision']]).toEqual([200, first + 1])
      const both = await patch(path, { title: '0', card_lines }, `"${first + 1}"`)
      expect([both.status, both.json['revision']]).toEqual([200, first + 2])
      const other = await patch(path, { title: '1', card_lines }, `"${first + 2}"`)
      expect([other.status, other.json['revision']]).toEqual([200, first + 3])
      expect((await patch(path, { card_lines }, `"${first + 2}"`)).status).toBe(412)
      expect(await place.rows('select id from card_lines')).toHaveLength(3)
    })

    test('versions are raised by bulk writes and soft deletion', async () => {
      const body = [{ title: 'a' }, { title: 'b' }]
      const made: unknown = JSON.parse((await send('POST', '/cards/', { body })).text)
      const [one, other] = made as readonly { readonly id: number; readonly revision: number }[]
      const first = one?.revision ?? Number.NaN
      expect(other?.revision).toBe(first)
      await send('PATCH', '/cards/', { body: [{ id: one?.id, title: 'c' }] })
      expect((await send('PATCH', '/cards/?q=title=c', { body: { title: 'd' } })).json).toMatchObject({
        count: 1,
      })
      expect(tagOf(await send('GET', `/cards/${one?.id}`))).toBe(`"${first + 2}"`)
      const headers = { 'if-match': `"${first + 2}"` }
      expect((await send('DELETE', `/cards/${one?.id}`, { headers })).status).toBe(204)
      expect((await send('DELETE', '/cards/?q=title=b')).json).toMatchObject({ count: 1 })
      expect(await place.rows('select revision from cards where deleted_at is not null order by id')).toEqual(
        [{ revision: first + 3 }, { revision: first + 1 }],
      )
    })

    test('an audit log has who did what', async () => {
      await send('POST', '/labels/', { body: { code: 'a', text: 'one' } })
      expect((await send('PATCH', '/labels/a', { body: { text: 'two' } })).status).toBe(200)
      expect((await send('DELETE', '/labels/a')).status).toBe(204)
      const { json } = await send('GET', '/audit-entries/?sort=id')
      expect(json['items']).toMatchObject([
        { act: 'create', caller: null, model: 'Label', record: 'a', changes: { text: { after: 'one' } } },
        { act: 'update', changes: { text: { before: 'one', after: 'two' } } },
        { act: 'delete', changes: { code: { before: 'a' }, text: { before: 'two' } } },
      ])
    })

    // Drizzle: test/attack/waiting-registration.test.ts
    test('refused registrations leave the identifiers free, at once and after a crash', async () => {
      const { email, password } = ada
      const statusOf = async (what: 'register' | 'login'): Promise<number> =>
        (await send('POST', `/auth/${what}`, { body: { email, password } })).status
      const emails = async () =>
        (await place.rows('select email from users order by id')).map((row) => row['email'])
      expect(await statusOf('register')).toBe(403)
      expect(await statusOf('login')).toBe(401)
      isRefused = false
      expect(await statusOf('register')).toBe(201)
      const released = expect.stringMatching(/^[0-9a-f]{32}@user\.invalid$/)
      expect(await emails()).toEqual([released, email])
      expect(await statusOf('login')).toBe(200)

      await place.rows(`update users set password = '!registering:1:a' where email = '${email}'`)
      expect(await statusOf('login')).toBe(401)
      expect(await statusOf('register')).toBe(201)
      expect(await emails()).toEqual([released, released, email])
      const errors = app.log.filter(({ level, line }) => level === 'error' && line.includes('delete user'))
      expect(errors).toHaveLength(2)
    })

    test('an API key opens what its user may do, until it is revoked', async () => {
      isRefused = false
      const { password } = ada
      const { json } = await send('POST', '/auth/register', { body: { email: 'key@example.com', password } })
      const token = String(json['access'])
      const read = { name: 'a', password, expires_at: '2099-01-01T00:00:00Z' }
      expect((await send('POST', '/auth/keys', { token, body: read })).status).toBe(422)
      const made = await send('POST', '/auth/keys', { token, body: { name: 'a', password } })
      expect(made.status, made.text).toBe(201)
      const { id, key, expires_at } = made.json as Readonly<Record<'id' | 'key' | 'expires_at', string>>
      expect((await send('GET', '/profiles/', { token: key })).status).toBe(200)
      expect((await send('POST', '/profiles/', { token: key, body: { user_id: 1 } })).status).toBe(403)
      const list = await send('GET', '/auth/keys', { token })
      expect(list.json['items']).toMatchObject([{ id, name: 'a', expires_at, access: 'read' }])
      expect(Object(list.json['items'])[0].last_used_at).not.toBeNull()
      expect((await send('DELETE', `/auth/keys/${id}`, { token })).status).toBe(204)
      expect((await send('GET', '/profiles/', { token: key })).status).toBe(401)
      expect(await place.rows('select * from api_keys')).toEqual([])
    })
  })
})
