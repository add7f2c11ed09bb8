import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { freePort, stopped, untilAnswered } from '../readme/server.ts'
import { folderWithPackage, program } from './folders.ts'
import { cleanEnvironment } from './shell.ts'

test('docs/security.md has an example that does what the page says', async () => {
  const blocks = fencedBlocks(readFileSync('docs/security.md', 'utf8'))
  const files = Object.fromEntries(blocks.map(({ file, text }) => [file ?? 'unnamed', `${text}\n`] as const))
  expect(Object.keys(files).toSorted()).toEqual(['controllers/order.ts', 'models.ts', 'server.ts'])
  const folder = folderWithPackage(inject('unpacked'), files)
  const database = new Database(join(folder.path, 'shop.db'))
  database.exec(
    `create table products (id integer primary key, name text not null);
     create table orders (id integer primary key, customer text not null);
     insert into orders (customer) values ('ada'), ('bob')`,
  )
  database.close()
  const port = await freePort()
  const server = spawn(`exec ${program('node')} server.ts`, {
    ...{ cwd: folder.path, shell: true, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnvironment(), PORT: `${port}` },
  })
  try {
    const origin = `http://localhost:${port}`
    await untilAnswered(server, `${origin}/products/`)
    const send = async (method: string, path: string, token?: string): Promise<number> => {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{"customer":"ada"}'
      const headers: Record<string, string> = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      }
      const reply = await fetch(origin + path, { method, headers, ...(body === undefined ? {} : { body }) })
      return reply.status
    }
    const ada = 'a token of ada'
    expect(await send('GET', '/products/')).toBe(200)
    expect(await send('POST', '/products/')).toBe(401)
    expect(await send('GET', '/orders/')).toBe(401)
    expect(await send('GET', '/orders/', 'another')).toBe(401)
    expect(await send('GET', '/orders/', ada)).toBe(200)
    expect(await send('POST', '/orders/', ada)).toBe(201)
    expect(await send('PATCH', '/orders/1', ada)).toBe(200)
    expect(await send('PATCH', '/orders/2', ada)).toBe(403)
    expect(await send('DELETE', '/orders/1', ada)).toBe(403)
    expect(await send('DELETE', '/orders/1')).toBe(401)
  } finally {
    await stopped(server)
    folder.remove()
  }
})
