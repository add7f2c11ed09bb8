import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { succeed } from './shell.ts'

const blocks = fencedBlocks(readFileSync('docs/users.md', 'utf8'))
const files = Object.fromEntries(
  blocks.filter(({ language }) => language === 'ts').map(({ file = 'unnamed', text }) => [file, `${text}\n`]),
)
const directory = 'controllers/user.ts'
const { [directory]: _directory, ...own } = files

/** Sends requests to an application of the page, and prints what each answered. */
const visitor = (app: string, requests: string): string => `import { app } from '${app}'
const send = async (method, path, body, token) => {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: 'Bearer ' + token }) }
  const reply = await app.fetch(new Request('http://host' + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
  const text = await reply.text()
  console.log(reply.status + ' ' + text)
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

const environment = { SECRET_KEY: 'a secret of tests, with more than 32 bytes' }

const usersColumns = `id integer primary key autoincrement, email text not null unique, username text unique, name text,
  password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch())`

const visit = async (folder: Folder): Promise<readonly string[]> => {
  const output = await succeed(`${program('node')} visitor.ts 2>/dev/null`, folder.path, environment)
  return output.trim().split('\n')
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

describe('docs/users.md', () => {
  test('names the files of its examples', () => {
    expect(Object.keys(files).toSorted()).toEqual([
      ...['app.ts', 'club/app.ts', 'club/models.ts', directory, 'models.ts'],
    ])
  })

  test('has users who reach their own records', async () => {
    await withDatabase('shop.db', { ...own, 'visitor.ts': shop }, shopTables, async (folder, database) => {
      const replies = await visit(folder)
      expect(statuses(replies)).toBe('201 201 409 422 200 200 404 200 422 403 201 404')
      expect(replies[5]).toMatch(/^200 \{"items":\[\{"id":1,"email":"ada@example.com",.*\],"count":1/)
      expect(replies.join()).not.toMatch(/argon2|"password":/)
      expect(database.prepare('select email, name from users').all()).toEqual([
        { email: 'ada@example.com', name: 'Ada L.' },
        { email: 'bob@example.com', name: null },
      ])
    })
  })

  test('has a controller with which everybody may read everybody', async () => {
    await withDatabase('shop.db', { ...files, 'visitor.ts': shop }, shopTables, async (folder) => {
      const replies = await visit(folder)
      expect(statuses(replies)).toBe('201 201 409 422 200 200 200 200 200 403 201 403')
      expect(replies[5]).toContain('"count":2')
      expect(replies[6]).toContain('"email":"bob@example.com"')
    })
  })

  test('has a model of another name', async () => {
    const ddl = `create table members (${usersColumns}, role text not null default 'member')`
    await withDatabase('club.db', { ...own, 'visitor.ts': club }, ddl, async (folder) => {
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
