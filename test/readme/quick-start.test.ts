import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyFolder, type Folder } from '../package/folders.ts'
import { cleanEnvironment, succeed } from '../package/shell.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { freePort, stopped, untilAnswered } from './server.ts'

const blocks = fencedBlocks(readFileSync('README.md', 'utf8'), 'Quick start')
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]))
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))

test('is at most 20 lines of code in two or three files, without SQL', () => {
  const code = files
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line !== '' && !/^\/\//.test(line))
  expect(files.length).toBeGreaterThanOrEqual(2)
  expect(files.length).toBeLessThanOrEqual(3)
  expect(code.length).toBeLessThanOrEqual(20)
  expect(code.filter((line) => /\b(select|insert|create table)\b/i.test(line))).toEqual([])
})

test('has the commands that were promised', () => {
  expect(commands).toEqual([
    'npm i modelrest fastify drizzle-orm better-sqlite3@13',
    'npm i -D drizzle-kit node@26',
    'npx drizzle-kit push --dialect=sqlite --schema=./models.ts --url=shop.db',
    'npx node server.ts',
  ])
})

describe('word for word in an empty folder', () => {
  let folder: Folder
  let server: ChildProcess
  let origin: string

  beforeAll(async () => {
    folder = emptyFolder(Object.fromEntries(files.map(({ file, text }) => [file, `${text}\n`])))
    const start = commands.at(-1) ?? ''
    for (const command of commands.slice(0, -1)) {
      // The package of this checkout stands for the published one.
      await succeed(command.replace(/ modelrest(?= |$)/, ` ${inject('tarball')}`), folder.path)
    }
    const port = await freePort()
    origin = `http://localhost:${port}`
    server = spawn(`exec ${start}`, {
      cwd: folder.path,
      shell: true,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...cleanEnvironment(), PORT: `${port}` },
    })
    await untilAnswered(server, `${origin}/products/`)
  })

  afterAll(async () => {
    await stopped(server)
    folder.remove()
  })

  test('serves the table', async () => {
    const created = await fetch(`${origin}/products/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Lamp","price":"9.90"}',
    })
    expect(created.status).toBe(201)
    const list = await fetch(`${origin}/products/`)
    expect(await list.json()).toEqual({
      items: [{ id: 1, name: 'Lamp', price: '9.90', in_stock: true }],
      count: 1,
      count_exact: true,
    })
  })

  test('serves its documentation', async () => {
    const page = await fetch(`${origin}/docs`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
  })
})
