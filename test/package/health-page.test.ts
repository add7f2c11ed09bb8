import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readHealth } from '../../src/health/index.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { freePort, untilAnswered } from '../readme/server.ts'
import { tableUnder } from '../structure/markdown-table.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { cleanEnvironment } from './shell.ts'

const page = readFileSync('docs/health.md', 'utf8')
const blocks = fencedBlocks(page)
const [ready = '', refused = ''] = blocks
  .filter(({ language }) => language === 'json')
  .map(({ text }) => text)

describe('docs/health.md', () => {
  let folder: Folder

  beforeAll(() => {
    folder = folderWithPackage(inject('unpacked'), {
      ...Object.fromEntries(
        blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, `${text}\n`]])),
      ),
    })
    const database = new Database(join(folder.path, 'shop.db'))
    database.exec('create table products (id integer primary key, name text not null)')
    database.close()
  })
  afterAll(() => folder?.remove())

  test('has an example that is ready, and drains before it ends', async () => {
    const port = await freePort()
    const server: ChildProcess = spawn(program('node'), ['server.ts'], {
      cwd: folder.path,
      env: { ...cleanEnvironment(), PORT: `${port}`, DRAIN_MS: '1500' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(server, 'close')
    const get = async (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await untilAnswered(server, `http://127.0.0.1:${port}/health/ready`)
    expect(await (await get('/health/ready')).json()).toEqual(JSON.parse(ready))
    server.kill('SIGTERM')
    await expect.poll(async () => (await get('/health/ready')).status, { timeout: 1400 }).toBe(503)
    const body = (await (await get('/health/ready')).json()) as object
    expect(body).toMatchObject({ status: 503, code: 'unavailable', ready: false })
    expect(Object.keys({ ...body, checks: {} }).toSorted()).toEqual(
      Object.keys(JSON.parse(refused)).toSorted(),
    )
    expect(body).not.toHaveProperty('checks')
    expect((await get('/products/')).status).toBe(200)
    expect(await closed).toEqual([0, null])
  })

  test('lists the options and their defaults', () => {
    const defaults = readHealth(true)
    expect(tableUnder(page, 'Options').map(([name, value]) => [name, value])).toEqual([
      ['`path`', `\`${defaults?.path}\``],
      ['`timeout`', `\`${defaults?.timeout}\``],
      ['`checks`', 'none'],
    ])
    expect(Object.keys(defaults ?? {})).toEqual(['path', 'timeout', 'checks'])
  })
})
