import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { hostContract } from '../../src/testing/host/index.ts'
import { needing } from '../needed-program.ts'
import { freePort, stopped, untilAnswered } from '../readme/server.ts'
import { runner } from '../runner.ts'
import { scenarioBy, scenarioOn, served } from '../scenario/stage.ts'
import { emptyFolder, type Files, type Folder, writeAll } from './folders.ts'
import { installOthers } from './installed.ts'
import { buildNext, nextEnvironment, nextPackages, nextProgram, nextRoutes, openNext } from './next.ts'
import { pinned } from './pinned.ts'

const example: Files = Object.fromEntries(
  globSync('examples/hosts/next/**/*.{ts,json}').map((file) => [
    relative('examples/hosts/next', file),
    readFileSync(file, 'utf8'),
  ]),
)

needing('registry', 'the host on Next.js', () => {
  let folder: Folder
  let next: Awaited<ReturnType<typeof openNext>>
  let server: ChildProcess | undefined

  beforeAll(async () => {
    folder = emptyFolder(example)
    const packages = ['drizzle-orm', 'better-sqlite3', '@types/better-sqlite3', '@types/node', 'typescript']
    const others = ['@types/react', ...packages.map(pinned)]
    await installOthers(folder.path, [...nextPackages, ...others])
    const routes = join(folder.path, 'routes')
    writeAll(routes, nextRoutes)
    await Promise.all([buildNext(routes), buildNext(folder.path)])
    vi.stubEnv('NODE_ENV', 'production')
    next = await openNext(routes)
  })
  afterEach(async () => {
    await stopped(server)
    server = undefined
  })
  afterAll(async () => {
    await next?.close()
    vi.unstubAllEnvs()
    folder?.remove()
  })

  /** What Next.js does otherwise, by the titles of the suite. docs/fetch.md tells users. */
  const differences: readonly RegExp[] = [
    // It writes the query anew.
    /^the query string "(q=a%26b&q=%zz&x=\+1|a\?b=\/c|%00)"|^random ids and query/,
    // It redirects from paths with several slashes.
    /\/\/.* is 404/,
    // It refuses methods that routes cannot export, and responds to OPTIONS.
    /^(QUERY|OPTIONS) /,
    // It sends no content-length, and adds vary.
    /^HEAD \/(items|plain|gone)|^HEAD destroys|^bytes, status and headers|^nothing is added to the media/,
    /^a response without a body has no headers|is sent completely, with its headers$/,
    // It passes on X-Forwarded-For and X-Forwarded-Proto of clients.
    /^the address is that of the connection/,
    // It keeps the first of several.
    /^several Authorization headers/,
  ]

  const isDifferent = (title: string): boolean => differences.some((known) => known.test(title))

  const failing = (body: () => unknown) => () => expect((async () => body())()).rejects.toThrow()

  hostContract(
    { ...runner, it: (title, body) => test(title, isDifferent(title) ? failing(body) : body) },
    {
      name: 'Next.js',
      keepsDotSegments: false,
      start: async ({ base, mount }) => {
        const clientAddress = (request: Request) => request.headers.get('x-forwarded-for') ?? undefined
        const app = fetchApp({ base, clientAddress })
        await mount(app)
        return next.listen(app.fetch)
      },
    },
  )

  const comparable = (lines: readonly string[]): readonly string[] =>
    served(lines).map((line) => line.replace(/\n *vary: rsc.*/, ''))

  test('answers to the whole scenario as Fastify does', async () => {
    const log = { info: () => undefined }
    const onNext = await scenarioBy(async (options, base) => {
      const app = fetchApp({ base })
      await new ModelRest(app, options).init()
      return next.listen((request) => {
        Object.assign(request.headers, Object.fromEntries(request.headers))
        return app.fetch(Object.assign(request, { log }))
      })
    })
    expect(comparable(onNext)).toEqual(comparable(await scenarioOn({ database: ':memory:' })))
  })

  const run = (command: 'dev' | 'start', port: number): ChildProcess =>
    spawn(`exec ${nextProgram(folder.path)} ${command} -p ${port}`, {
      ...{ cwd: folder.path, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      env: nextEnvironment(),
    })

  /** Starts the example, and waits until it answers. */
  const started = async (command: 'dev' | 'start'): Promise<string> => {
    const port = await freePort()
    server = run(command, port)
    await untilAnswered(server, `http://127.0.0.1:${port}/hello`)
    return `http://127.0.0.1:${port}`
  }

  const json = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, init)
    const { status, headers } = response
    return { status, allow: headers.get('allow'), body: await response.json() }
  }

  const post = (body: string): RequestInit => ({
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json' },
  })

  const filesOf = (pid: string): readonly string[] => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
    } catch {
      return []
    }
  }

  /** How often processes have opened a file. */
  const opened = (file: string): number =>
    readdirSync('/proc')
      .flatMap(filesOf)
      .filter((open) => open === file).length

  describe('the example', () => {
    test('has at most 60 lines', () => {
      expect(Object.values(example).join('').split('\n').length).toBeLessThanOrEqual(60)
    })

    test('serves, and does not open its database before', async () => {
      expect(existsSync(join(folder.path, 'tasks.db'))).toBe(false)
      const origin = await started('start')
      const tasks = `${origin}/api/tasks`
      expect(await json(`${tasks}/`, post('{"title":"Write a test"}'))).toMatchObject({
        ...{ status: 201, body: { title: 'Write a test' } },
      })
      expect(await json(`${tasks}?title=write&id<2&id>0`)).toMatchObject({ status: 200, body: { count: 1 } })
      expect(await json(`${tasks}/?id>1`)).toMatchObject({ status: 200, body: { count: 0 } })
      expect(await json(`${tasks}/7`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(await json(tasks, post('{"titel":1}'))).toMatchObject({
        status: 422,
        body: { code: 'invalid_body' },
      })
      expect(await json(tasks, post('{'))).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
      const large = JSON.stringify({ title: 'x'.repeat(2_000_000) })
      expect(await json(tasks, post(large))).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
      expect(await json(tasks, { method: 'PUT' })).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' })
      expect((await fetch(tasks, { method: 'HEAD' })).status).toBe(200)
      expect((await json(`${origin}/api/openapi.json`)).body).toMatchObject({ servers: [{ url: '/api' }] })
      expect(await (await fetch(`${origin}/api/docs`)).text()).toContain('<title>')
      expect(await (await fetch(`${origin}/hello`)).text()).toBe('Hello, anonymous')
      // What Next.js answers itself.
      const options = await fetch(tasks, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow')]).toEqual([
        204,
        'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      ])
      expect((await fetch(`${tasks}/%zz`)).status).toBe(500)
      expect((await fetch(`${origin}/api//tasks`, { redirect: 'manual' })).status).toBe(308)
    })

    test('takes changes while it runs, with one connection', async () => {
      const origin = await started('dev')
      const maxLength = async (): Promise<number> => {
        const document = await (await fetch(`${origin}/api/openapi.json`)).text()
        return Number(/"maxLength":(\d+)/.exec(document)?.[1])
      }
      expect(await maxLength()).toBe(100)
      for (const length of [200, 300, 400]) {
        writeAll(folder.path, {
          'api.ts': (example['api.ts'] ?? '').replace('length: 100', `length: ${length}`),
        })
        await vi.waitUntil(async () => (await maxLength()) === length, { timeout: 20_000, interval: 100 })
      }
      if (process.platform === 'linux') expect(opened(join(folder.path, 'tasks.db'))).toBe(1)
    })
  })
})
