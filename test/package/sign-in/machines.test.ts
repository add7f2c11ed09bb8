import { expect, test } from 'vitest'
import { application, password } from './application.ts'

const app = application('machines.ts')

type Headers = Record<string, string>

const newKey = async (
  owner: Headers,
  access: string,
): Promise<{ id: number; key: string; headers: Headers }> => {
  const { status, json } = await app().send('POST', '/keys', { password, access }, owner)
  expect(status).toBe(201)
  const key = String(json['key'])
  return { id: Number(json['id']), key, headers: { authorization: `Bearer ${key}` } }
}

const notes = (headers: Headers) => app().send('GET', '/notes/?fields=text', undefined, headers)
const write = (headers: Headers, user_id: number) =>
  app().send('POST', '/notes/', { user_id, text: 'Lamp' }, headers)

test('checklist 48: a key reads or writes the notes of its owner, and of nobody else', async () => {
  const [ada, bob] = [await app().userWith('ada@example.com'), await app().userWith('bob@example.com')]
  const [reader, writer] = [await newKey(ada, 'read'), await newKey(ada, 'write')]
  expect((await write(ada, 1)).status).toBe(201)
  expect((await write(writer.headers, 1)).status).toBe(201)
  expect((await write(writer.headers, 2)).status).toBe(403)
  expect((await write(reader.headers, 1)).status).toBe(403)
  expect((await notes(reader.headers)).json['count']).toBe(2)
  expect((await app().send('DELETE', '/notes/1', undefined, reader.headers)).status).toBe(403)
  const foreign = await newKey(bob, 'write')
  expect((await notes(foreign.headers)).json['count']).toBe(0)
  expect((await app().send('DELETE', '/notes/1', undefined, foreign.headers)).status).toBe(404)
  expect((await app().send('DELETE', '/notes/1', undefined, writer.headers)).status).toBe(204)
})

test('the database has only the hash of a key, and the hash is not a key', async () => {
  const owner = await app().userWith('grace@example.com')
  const { key, headers } = await newKey(owner, 'read')
  const rows = JSON.stringify(app().database.prepare('select * from api_keys').all())
  expect(rows).not.toContain(key.slice(5))
  const hash = String(app().database.prepare('select hash from api_keys order by id desc').pluck().get())
  const wrong = [
    hash,
    `desk_${hash}`,
    key.slice(0, -1),
    `${key}A`,
    key.toUpperCase(),
    `${key} `.trim().slice(5),
  ]
  for (const text of wrong) expect((await notes({ authorization: `Bearer ${text}` })).status).toBe(401)
  expect((await notes(headers)).status).toBe(200)
  expect((await app().send('GET', `/notes/?key=${key}`)).status).not.toBe(200)
})

test('checklist 48: a key creates and deletes no keys', async () => {
  const owner = await app().userWith('linus@example.com')
  const { id, headers } = await newKey(owner, 'write')
  expect((await app().send('POST', '/keys', { password, access: 'write' }, headers)).status).toBe(401)
  expect((await app().send('DELETE', `/keys/${id}`, undefined, headers)).status).toBe(401)
  expect((await app().send('POST', '/keys', { password: 'a guess', access: 'read' }, owner)).status).toBe(403)
})

test('a key ends when it is deleted, by its owner only', async () => {
  const [owner, other] = [await app().userWith('alan@example.com'), await app().userWith('eve@example.com')]
  const { id, headers } = await newKey(owner, 'read')
  expect((await app().send('DELETE', `/keys/${id}`, undefined, other)).status).toBe(404)
  expect((await app().send('DELETE', '/keys/x', undefined, owner)).status).toBe(404)
  expect((await notes(headers)).status).toBe(200)
  expect((await app().send('DELETE', `/keys/${id}`, undefined, owner)).status).toBe(204)
  expect((await notes(headers)).status).toBe(401)
})

test('checklist 48: a key ends after its time, and with its owner', async () => {
  const owner = await app().userWith('tony@example.com')
  const { id, headers } = await newKey(owner, 'read')
  app().database.exec("update users set is_active = 0 where email = 'tony@example.com'")
  expect((await notes(headers)).status).toBe(401)
  app().database.exec("update users set is_active = 1 where email = 'tony@example.com'")
  expect((await notes(headers)).status).toBe(200)
  app().database.exec(`update api_keys set expires_at = unixepoch() - 1 where id = ${id}`)
  expect((await notes(headers)).status).toBe(401)
})

test('checklist 48: a key is limited, and others are not', async () => {
  const owner = await app().userWith('many@example.com')
  const [loud, quiet] = [await newKey(owner, 'read'), await newKey(owner, 'read')]
  const counts = new Map<number, number>()
  for (let round = 0; round < 61; round += 1) {
    const replies = await Promise.all(Array.from({ length: 10 }, () => notes(loud.headers)))
    for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  expect(counts.get(429)).toBeGreaterThanOrEqual(1)
  expect(counts.get(200)).toBeGreaterThanOrEqual(600)
  const refused = await notes(loud.headers)
  expect([refused.status, refused.json['code']]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await notes(quiet.headers)).status).toBe(200)
})

test('a user has at most 20 keys', async () => {
  const owner = await app().userWith('hoarder@example.com')
  const id = app().database.prepare("select id from users where email = 'hoarder@example.com'").pluck().get()
  const insert = app().database.prepare(
    "insert into api_keys (user_id, hash, access, expires_at) values (?, ?, 'read', 1)",
  )
  for (let n = 0; n < 19; n += 1) insert.run(id, `hash ${n}`)
  await newKey(owner, 'read')
  expect((await app().send('POST', '/keys', { password, access: 'read' }, owner)).status).toBe(409)
})

test('a user with an authenticator app needs a code here too', async () => {
  await app().userWith('careful@example.com')
  app().database.exec(
    "insert into totps (user_id, secret, is_confirmed) select id, 'JBSWY3DPEHPK3PXP', 1 from users where email = 'careful@example.com'",
  )
  const login = await app().send('POST', '/auth/login', { email: 'careful@example.com', password })
  expect([login.status, login.json['code']]).toEqual([401, 'totp_required'])
})
