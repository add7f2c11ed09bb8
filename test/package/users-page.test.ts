import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage } from './folders.ts'
import { start } from './in-process.ts'

const blocks = fencedBlocks(readFileSync('docs/users.md', 'utf8'))
const files = Object.fromEntries(
  blocks.filter(({ language }) => language === 'ts').map(({ file = 'unnamed', text }) => [file, `${text}\n`]),
)

/** The club of the page, whose members are served by one of its controllers. */
const clubServedBy = (controller: string, config: string): Readonly<Record<string, string>> => {
  const { 'club/app.ts': app = '' } = files
  const options = `  controllers: [MemberController],\n  modelConfig: ${config},\n`
  return {
    ...files,
    'club/app.ts': app
      .replace('  auth: true,\n', `  auth: true,\n${options}`)
      .replace('import * as club', `import { MemberController } from '../${controller}'\nimport * as club`),
  }
}

/** Sends requests to an application of the page, and prints what each answered. */
const visitor = (app: string, requests: string): string => `import { app } from '${app}'
const send = async (method, path, body, token) => {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: 'Bearer ' + token }) }
  const reply = await app.inject({ method, url: path, headers, ...(body && { payload: JSON.stringify(body) }) })
  const text = reply.body
  console.log(reply.statusCode + ' ' + text)
  return text.startsWith('{') ? JSON.parse(text) : {}
}
const password = 'correct horse battery'
${requests}
`

const shop = visitor(
  './app.ts',
  `const ada = await send('POST', '/auth/register', { email: ' ADA@example.com', name: 'Ada', password })
await send('POST', '/auth/register', { email: 'bob@example.com', password })
await send('POST', '/auth/register', { email: 'ada@example.com ', password })
await send('POST', '/auth/register', { email: 'eve@example.com', is_active: true, password })
await send('POST', '/auth/login', { login: 'Ada@Example.com', password })
await send('GET', '/users/', undefined, ada.access)
await send('GET', '/users/2', undefined, ada.access)
await send('PATCH', '/users/1', { name: 'Ada L.' }, ada.access)
await send('PATCH', '/users/1', { is_active: false }, ada.access)
await send('POST', '/users/', { email: 'x@example.com' }, ada.access)
await send('POST', '/orders/', { label: 'a gift', user_id: 2 }, ada.access)
await send('DELETE', '/users/2', undefined, ada.access)`,
)

const club = visitor(
  './club/app.ts',
  `await send('POST', '/auth/register', { username: 'ada', email: 'ada@example.com', role: 'editor', password })
await send('POST', '/auth/register', { username: 'ada', email: 'ada@example.com', name: 'Ada', password })
await send('POST', '/auth/register', { username: 'ada', email: 'ada@example.com', password })
await send('POST', '/auth/login', { email: 'ada@example.com', password })
await send('POST', '/auth/login', { username: 'ADA', password })`,
)

const members = visitor(
  './club/app.ts',
  `const ada = await send('POST', '/auth/register', { username: 'ada', email: 'ada@example.com', password })
await send('POST', '/auth/register', { username: 'bob', email: 'bob@example.com', password })
await send('GET', '/members/', undefined, ada.access)
await send('GET', '/members/2', undefined, ada.access)
await send('PATCH', '/members/1', { username: 'ada.l' }, ada.access)
await send('PATCH', '/members/2', { username: 'x' }, ada.access)
for (const power of [{ role: 'editor' }, { is_active: false }, { created_at: '2020-01-01T00:00:00Z' }])
  await send('PATCH', '/members/1', power, ada.access)`,
)

const environment = { SECRET_KEY: 'a secret of tests, with more than 32 bytes' }

const usersColumns = `id integer primary key autoincrement, email text not null unique, username text unique, name text,
  password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch())`

const visit = async (folder: Folder): Promise<readonly string[]> => {
  const { out } = await start(folder.path, 'visitor.ts', environment)
  return out.trim().split('\n')
}

const statuses = (replies: readonly string[]): string => replies.map((line) => line.slice(0, 3)).join(' ')

const withDatabase = async (
  name: string,
  given: Readonly<Record<string, string>>,
  ddl: string,
  use: (folder: Folder, database: Database.Database) => Promise<void>,
): Promise<void> => {
  const folder = folderWithPackage(inject('unpacked'), given)
  const database = new Database(join(folder.path, name))
  try {
    database.exec(ddl)
    await use(folder, database)
  } finally {
    database.close()
    folder.remove()
  }
}

const shopTables = `create table users (${usersColumns});
  create table orders (id integer primary key, label text not null, user_id integer references users (id))`

const clubTable = `create table members (${usersColumns}, role text not null default 'member')`

describe('docs/users.md', () => {
  test('names the files of its examples', () => {
    expect(Object.keys(files).toSorted()).toEqual([
      ...['app.ts', 'club/app.ts', 'club/config.ts', 'club/directory.ts', 'club/editors.ts'],
      ...['club/models.ts', 'models.ts', 'server.ts'],
    ])
  })

  test('has users who reach their own records', async () => {
    await withDatabase('shop.db', { ...files, 'visitor.ts': shop }, shopTables, async (folder, database) => {
      const replies = await visit(folder)
      expect(statuses(replies)).toBe('201 201 409 422 200 200 404 200 422 405 201 404')
      expect(replies[5]).toMatch(/^200 \{"items":\[\{"id":1,"email":"ada@example.com",.*\],"count":1/)
      expect(replies.join()).not.toMatch(/argon2|"password":/)
      expect(database.prepare('select email, name from users').all()).toEqual([
        { email: 'ada@example.com', name: 'Ada L.' },
        { email: 'bob@example.com', name: null },
      ])
    })
  })

  test.each([
    ['that everybody may read', 'club/directory.ts', '{ Member: { internal: false } }', '422 422 422'],
    ['whose roles editors change', 'club/editors.ts', 'clubConfig', '403 403 422'],
  ])('has a directory of members %s', async (_what, controller, config, powers) => {
    const served = clubServedBy(controller, config)
    const app = `import { modelConfig as clubConfig } from './config.ts'\n${served['club/app.ts']}`
    const given = { ...served, 'club/app.ts': app, 'visitor.ts': members }
    await withDatabase('club.db', given, clubTable, async (folder, database) => {
      const replies = await visit(folder)
      expect(statuses(replies)).toBe(`201 201 200 200 200 403 ${powers}`)
      expect(replies[2]).toContain('"count":2')
      expect(replies[3]).toContain('"email":"bob@example.com"')
      expect(database.prepare('select username, role, is_active from members').all()).toEqual([
        { username: 'ada.l', role: 'member', is_active: 1 },
        { username: 'bob', role: 'member', is_active: 1 },
      ])
    })
  })

  test('has a model of another name', async () => {
    await withDatabase('club.db', { ...files, 'visitor.ts': club }, clubTable, async (folder) => {
      const replies = await visit(folder)
      expect(statuses(replies)).toBe('422 422 201 422 200')
      expect(replies[2]).toContain('"role":"member"')
    })
  })

  test('has a statement that brings identifiers into their one form', async () => {
    const [statement] = blocks.filter(({ language }) => language === 'sql')
    const database = new Database(':memory:')
    database.exec(`create table users (${usersColumns})`)
    database.exec(
      `insert into users (email, username, password) values (' Ada@Example.com', 'ADA', ''), ('b@c.d', null, '')`,
    )
    database.exec(statement?.text ?? '')
    expect(database.prepare('select email, username from users').all()).toEqual([
      { email: 'ada@example.com', username: 'ada' },
      { email: 'b@c.d', username: null },
    ])
    database.close()
  })
})
