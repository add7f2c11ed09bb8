import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { start } from './in-process.ts'
import { succeed } from './shell.ts'

/** They show parts of one program. */
const page = ['security', 'sessions', 'passwords', 'origins']
  .map((name) => readFileSync(`docs/${name}.md`, 'utf8'))
  .join('\n')
const files = Object.fromEntries(
  fencedBlocks(page)
    .filter(({ language }) => language === 'ts')
    .map(({ file, text }) => [file ?? 'unnamed', `${text}\n`] as const),
)

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
}

type Send = (method: string, path: string, body?: object, token?: string) => Promise<Reply>

const sender =
  (origin: string): Send =>
  async (method, path, body, token) => {
    const reply = await fetch(origin + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, json: text === '' ? {} : JSON.parse(text) }
  }

describe('docs/security.md and the pages that continue it', () => {
  let folder: Folder
  /** What the mail server has got. */
  const mails: string[] = []
  const mailServer = createServer(async (request, response) => {
    mails.push(await text(request))
    response.end()
  })
  beforeAll(async () => {
    mailServer.listen(0)
    await once(mailServer, 'listening')
    const { port: mailPort } = mailServer.address() as AddressInfo
    const { 'server.ts': server = '' } = files
    const closed = server
      .replace(/settings: defineSettings\(.*\),$/m, 'settings,')
      .replace('import * as shop', "import { settings } from './closed.ts'\nimport * as shop")
    const mailing = closed.replace('./closed.ts', './local-mails.ts')
    const mails = files['mails.ts']?.replace('https://mail.example.com', `http://localhost:${mailPort}`) ?? ''
    folder = folderWithPackage(inject('unpacked'), {
      ...{ ...files, 'closed-server.ts': closed, 'mailing-server.ts': mailing, 'local-mails.ts': mails },
    })
    const database = new Database(join(folder.path, 'shop.db'))
    database.exec(
      `create table users (id integer primary key autoincrement, email text not null unique, username text unique, name text,
         password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()));
       create table products (id integer primary key, name text not null);
       create table orders (id integer primary key, user_id integer not null references users (id), note text);`,
    )
    database.close()
  })
  afterAll(() => {
    mailServer.close()
    folder.remove()
  })

  const served = async (file: string, use: (send: Send) => Promise<void>): Promise<void> => {
    const server = await start(folder.path, file, {
      SECRET_KEY: 'a secret of this test, and one that is long enough',
    })
    try {
      await use(sender(server.origin))
    } finally {
      server.close()
    }
  }

  test('has no example that is not tried', () => {
    expect(Object.keys(files).toSorted()).toEqual([
      ...[
        'add-user.ts',
        'audience.ts',
        'claims.ts',
        'closed.ts',
        'controllers/order.ts',
        'headers-express.ts',
        'headers-fastify.ts',
        'headers-fetch.ts',
        'headers-hono.ts',
        'hooks.ts',
        'issue.ts',
        'jwks.ts',
        'mails.ts',
        'models.ts',
      ],
      ...['own-server.ts', 'password-change.ts', 'server.ts', 'sessions.ts', 'stateful.ts', 'validators.ts'],
      'verified.ts',
    ])
  })

  test('has a service that users log in to, and that does what the page says', async () => {
    await served('server.ts', async (send) => {
      expect((await send('GET', '/products/')).status).toBe(200)
      expect((await send('POST', '/products/', { name: 'Lamp' })).status).toBe(401)
      expect((await send('GET', '/hello')).json).toEqual({ you: null })
      const ada = { email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }
      const registered = await send('POST', '/auth/register', ada)
      expect(registered.status).toBe(201)
      expect(registered.headers.getSetCookie().join('\n')).toMatch(
        /^service_access_token=[^;]+;.*HttpOnly.*SameSite=Lax/m,
      )
      const login = await send('POST', '/auth/login', { login: 'ada', password: ada.password })
      const access = String(login.json['access'])
      expect((await send('GET', '/hello', undefined, access)).json).toEqual({ you: 1 })
      const me = await send('GET', '/auth/me', undefined, access)
      expect([me.json['email'], me.headers.get('cache-control')]).toEqual([ada.email, 'no-store'])
      expect((await send('POST', '/orders/', { user_id: 1 }, access)).status).toBe(201)
      expect((await send('PATCH', '/orders/1', { note: 'Ring twice.' }, access)).status).toBe(200)
      expect((await send('DELETE', '/orders/1', undefined, access)).status).toBe(403)
      expect((await send('GET', `/orders/?access_token=${access}`)).status).toBe(400)
      const refreshed = await send('POST', '/auth/refresh', { refresh: login.json['refresh'] })
      expect(Object.keys(refreshed.json)).toEqual(['access', 'refresh'])
      expect((await send('POST', '/auth/logout', undefined, access)).status).toBe(204)
    })
  })

  test('has a service whose users only a script creates', async () => {
    const command = fencedBlocks(page).find(({ text }) => text.startsWith('npx node add-user.ts '))?.text
    await succeed(`${program('node')} ${command?.replace('npx node ', '')}`, folder.path)
    await served('closed-server.ts', async (send) => {
      const password = 'a lamp for every desk'
      const refused = await send('POST', '/auth/register', { email: 'eve@example.com', password })
      expect(refused.status).toBe(404)
      expect((await send('POST', '/auth/login', { login: 'eve@example.com', password })).status).toBe(401)
      expect((await send('POST', '/auth/login', { login: 'grace@example.com', password })).status).toBe(200)
    })
  })

  test('has a service that sends mails with tokens', async () => {
    await served('mailing-server.ts', async (send) => {
      const email = 'joan@example.com'
      await send('POST', '/auth/register', { email, password: 'correct horse battery' })
      expect((await send('POST', '/auth/password/reset', { email })).status).toBe(202)
      await vi.waitFor(() => expect(mails.length).toBe(1), 10_000)
      const mail = JSON.parse(mails[0] ?? '') as Readonly<Record<'to' | 'text', string>>
      expect(mail.to).toBe(email)
      const token = /#(.+)$/.exec(mail.text)?.[1]
      const password = 'a lamp for every desk'
      expect((await send('POST', '/auth/password/reset/confirm', { token, password })).status).toBe(204)
      expect((await send('POST', '/auth/login', { email, password })).status).toBe(200)
    })
  })

  test('has a service with a way of its own to a user', async () => {
    await served('own-server.ts', async (send) => {
      const ada = 'a token of ada'
      expect((await send('GET', '/products/')).status).toBe(200)
      expect((await send('POST', '/products/', { name: 'Lamp' })).status).toBe(401)
      expect((await send('GET', '/orders/', undefined, 'another')).status).toBe(401)
      expect((await send('POST', '/orders/', { user_id: 1 }, ada)).status).toBe(201)
      expect((await send('PATCH', '/orders/2', { note: 'Ring.' }, ada)).status).toBe(200)
      expect((await send('PATCH', '/orders/2', { user_id: 99 }, ada)).status).toBe(422)
      expect((await send('DELETE', '/orders/1', undefined, ada)).status).toBe(403)
      expect((await send('POST', '/auth/login', { login: 'ada', password: 'x' })).status).toBe(404)
    })
  })
})
