// @module-tag programs

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { areRunning } from '../needed-program.ts'
import { freePort, stopped, untilAnswered } from '../readme/server.ts'
import { bundled } from './bundle.ts'
import { writeAll } from './folders.ts'
import { installPlatforms, type Platform, type Platforms, suiteFile } from './platforms.ts'
import { cleanEnvironment, shell } from './shell.ts'

const exampleOf = (file: string): string => readFileSync(`examples/hosts/${file}`, 'utf8')

/** What Bun does otherwise. docs/fetch.md tells users. */
const ofBun: readonly RegExp[] = [
  // It sends streams without a content-length.
  /^a (stream of three chunks|Readable of Node) is sent completely/,
  // It resets the connection.
  /^a stream .*(cuts off the response|is cut there)/,
  // It refuses larger bodies itself.
  /^a form with a declared length of \d+ bytes is 413/,
]

/** What Deno does otherwise. */
const ofDeno: readonly RegExp[] = [
  // It closes the connection after a form that was read in part, and does not after one that is late.
  /^the connection stays usable after a form that is read in part/,
  /^a form that arrives too slowly closes its connection/,
  // The response is complete, so it keeps the connection.
  /^a stream that is longer .* is cut there/,
]

const ofBunTest = `
import { afterAll as after, beforeAll as before, describe, test as declare } from 'bun:test'
const test = (title, body) => declare(title, body, 60_000)
`

/** The suite of sources, on the driver of Bun. */
const sourceSuite = `${ofBunTest}
import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { drizzleModels } from 'modelrest/drizzle'
import { sourceContract } from 'modelrest/testing'
import { createSqlite, tables } from './library.js'

sourceContract({ describe, it: test, before, after }, {
  name: 'bun:sqlite',
  open: () => {
    const database = new Database(':memory:')
    database.run('pragma foreign_keys = on')
    for (const statement of createSqlite) database.run(statement)
    return { source: drizzleModels(drizzle(database), tables), close: () => database.close() }
  },
})
`

const suites = {
  'suite.test.js': suiteFile(
    ofBunTest,
    `const fetch = (request, server) => {
      addresses.set(request, server.requestIP(request)?.address)
      return app.fetch(request)
    }
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
    return { port: server.port, stop: () => server.stop(true) }`,
    ofBun,
    'keepsDotSegments: false,',
  ),
  'suite.deno.js': suiteFile(
    "import { after, before, describe, test } from 'node:test'",
    `const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, (request, info) => {
      addresses.set(request, info.remoteAddr.hostname)
      return app.fetch(request)
    })
    return { port: server.addr.port, stop: () => server.shutdown() }`,
    ofDeno,
  ),
  'source.test.js': sourceSuite,
}

const workerConfig = (port: number): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`

const isHere = areRunning(['registry', 'platforms'], 'the platforms besides Node')
let platforms: Platforms
let server: ChildProcess | undefined

beforeAll(async () => {
  if (!isHere) return
  const examples = ['bun.ts', 'cloudflare.ts', 'deno.ts'].map((file) => [file, exampleOf(file)])
  const library = await bundled('test/contract/library/sqlite.ts', ['drizzle-orm', 'modelrest'])
  const files = { ...Object.fromEntries(examples), ...suites, 'library.js': library.code }
  platforms = await installPlatforms(files)
})
afterEach(async () => {
  await stopped(server)
  server = undefined
})
afterAll(() => {
  platforms?.folder.remove()
})

/** The folder, and a line for its shell. */
const lineOf = (platform: Platform, line: string): readonly [folder: string, line: string] => [
  platforms.folder.path,
  `${platforms.program(platform)} ${line}`,
]

/** Starts an example, and calls it. */
const serves = async (folder: string, line: string, port: number): Promise<void> => {
  server = spawn(`exec ${line}`, {
    ...{ cwd: folder, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...cleanEnvironment(), PORT: `${port}` },
  })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswered(server, `${origin}/hello`)
  expect(await (await fetch(`${origin}/hello`)).text()).toBe('Hello, anonymous')
  const created = await fetch(`${origin}/api/tasks/`, {
    method: 'POST',
    body: JSON.stringify({ title: 'Write a test' }),
    headers: { 'content-type': 'application/json' },
  })
  expect([created.status, await created.json()]).toMatchObject([201, { title: 'Write a test' }])
  const found = await fetch(`${origin}/api/tasks/?q=title=write&id<2`)
  expect(await found.json()).toMatchObject({ count: 1 })
  const document = await fetch(`${origin}/api/openapi.json`)
  expect(await document.json()).toMatchObject({ servers: [{ url: '/api' }] })
  const wrong = await fetch(`${origin}/api/tasks/7`, { method: 'PUT', body: '{' })
  expect([wrong.status, await wrong.json()]).toMatchObject([415, { code: 'unsupported_media_type' }])
  expect((await fetch(`${origin}/api/tasks/7`)).status).toBe(404)
}

describe('the examples', () => {
  test('Bun', async () => serves(...lineOf('bun', 'bun.ts'), await freePort()))

  test('Deno', async () => serves(...lineOf('deno', 'run --allow-all --no-check deno.ts'), await freePort()))

  test('Cloudflare', async () => {
    const [folder, line] = lineOf('workerd', 'serve worker.capnp')
    const port = await freePort()
    const { code } = await bundled(join(folder, 'cloudflare.ts'))
    writeAll(folder, { 'worker.js': code, 'worker.capnp': workerConfig(port) })
    await serves(folder, line, port)
  })
})

describe('the suite passes', () => {
  test.concurrent.for([
    ['of hosts on Bun', 'bun', 'test ./suite.test.js'],
    ['of hosts on Deno', 'deno', 'test --allow-all --no-check suite.deno.js'],
    ['of sources on bun:sqlite', 'bun', 'test ./source.test.js'],
  ] as const)('%s', async ([, platform, rest]) => {
    const [folder, line] = lineOf(platform, rest)
    const { code, output } = await shell(line, folder)
    expect(code, output).toBe(0)
    expect(output).toMatch(/\b2\d\d (pass|passed|steps)\b/)
  })
})
