import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { needing } from '../needed-program.ts'
import { emptyFolder, type Folder } from '../package/folders.ts'
import { succeed } from '../package/shell.ts'
import { sendAsCurl } from './exchanges.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { type Serving, serving } from './server.ts'

const blocks = fencedBlocks(readFileSync('README.md', 'utf8'), 'Quick start')
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]))
const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
const commands = lines.filter((line) => !line.startsWith('curl '))
const requests = blocks.flatMap(({ text }, index) =>
  text.startsWith('curl ') ? [{ command: text, printed: blocks[index + 1]?.text }] : [],
)

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
    'npm init -y && npm pkg set type=module',
    'npm i modelrest fastify drizzle-orm better-sqlite3@13',
    'npm i -D drizzle-kit node@26',
    'npx drizzle-kit push --dialect=sqlite --schema=./models.ts --url=shop.db',
    'npx node server.ts',
  ])
})

needing('registry', 'word for word in an empty folder', () => {
  let folder: Folder
  let server: Serving

  beforeAll(async () => {
    folder = emptyFolder(Object.fromEntries(files.map(({ file, text }) => [file, `${text}\n`])))
    const start = commands.at(-1) ?? ''
    for (const command of commands.slice(0, -1)) {
      // The package of this checkout stands for the published one.
      await succeed(command.replace(/ modelrest(?= |$)/, ` ${inject('tarball')}`), folder.path)
    }
    server = await serving(start, folder.path, '/products/')
  })

  afterAll(async () => {
    await server?.stop()
    folder.remove()
  })

  test('prints its address', () => {
    expect(server.written()).toContain(`:${new URL(server.origin).port}`)
    expect(server.written()).not.toMatch(/warning/i)
  })

  test('a record is created and read', async () => {
    expect(requests.map(({ command }) => / -d /.test(command))).toEqual([true, false])
    for (const { command, printed } of requests) {
      expect(await sendAsCurl(command, server.origin)).toBe(printed)
    }
  })

  test('serves its documentation', async () => {
    const page = await fetch(`${server.origin}/docs`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
  })
})
