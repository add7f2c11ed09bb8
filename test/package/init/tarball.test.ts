// @module-tag programs

import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { areRunning } from '../../needed-program.ts'
import { samples } from '../../upload/samples.ts'
import { emptyFolder, type Folder, program } from '../folders.ts'
import { succeed } from '../shell.ts'
import { type CommentedPart, commentedParts } from './commented-parts.ts'
import { type Project, projectAt, type ServingProject, serve, withNode } from './project.ts'

const tarball = inject('tarball')
const title = `Anna's \`\${x}\` "Lamps" & more`
const first = { name: 'First article', description: null, is_active: true }

const hasRegistry = areRunning('registry', 'a project made by init')
let folder: Folder
let project: Project
let serving: ServingProject | undefined

/** npx keeps what it has installed: nobody needs this one again. */
const forgetNpx = async (): Promise<void> => {
  const kept = join((await succeed('npm config get cache 2>/dev/null', folder.path)).trim(), '_npx')
  for (const name of readdirSync(kept)) {
    const file = join(kept, name, 'package.json')
    if (existsSync(file) && readFileSync(file, 'utf8').includes('modelrest-pack-'))
      rmSync(join(kept, name), { recursive: true })
  }
}

beforeAll(() => {
  if (!hasRegistry) return
  folder = emptyFolder()
})
afterAll(async () => {
  if (!hasRegistry) return
  await serving?.stop()
  await forgetNpx()
  folder.remove()
})

/** Starts over, with what is in the folder now. */
const restart = async (
  line = 'npm run dev',
  env?: Readonly<Record<string, string>>,
): Promise<ServingProject> => {
  await serving?.stop()
  serving = await serve(project, line, env)
  return serving
}

const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`

test('from an empty folder to the first record', async () => {
  const times = [performance.now()]
  const quoted = `'${title.replaceAll("'", "'\\''")}'`
  const told = await succeed(
    `npx --yes --package=${tarball} modelrest init my-desk --title ${quoted} --model article`,
    folder.path,
    withNode,
  )
  expect(told).toContain('  cd my-desk\n  npm install\n  npm run dev\n')
  times.push(performance.now())
  project = projectAt(join(folder.path, 'my-desk'))
  const installed = await project.run('npm install')
  // An older Node of the machine is all that npm may warn of: the project brings its own.
  expect(installed).not.toMatch(/npm warn (?!Unknown (user|env) config|EBADENGINE)/i)
  times.push(performance.now())
  const { ask } = await restart()
  const created = await ask('POST', '/api/articles/', { name: first.name })
  times.push(performance.now())
  expect(created).toMatchObject({ status: 201, body: { id: 1, ...first, slug: 'first-article' } })
  const [start = 0, scaffold = 0, install = 0, end = 0] = times
  process.stderr.write(
    `\nFrom the empty folder to the first record: ${seconds(start, end)} (npx init ${seconds(start, scaffold)}, npm install ${seconds(scaffold, install)}, npm run dev and the request ${seconds(install, end)})\n`,
  )
})

test('it depends on the very tarball', () => {
  const { name, description, dependencies, devDependencies } = JSON.parse(project.read('package.json'))
  expect({ name, description }).toEqual({ name: 'my-desk', description: title })
  expect(dependencies.modelrest).toBe(`file:${tarball}`)
  const own = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies
  for (const [each, range] of Object.entries({ ...dependencies, ...devDependencies }))
    if (each !== 'modelrest') expect([each, range]).toEqual([each, own[each]])
})

test('it serves the record, its documentation and its own routes', async () => {
  const { ask, origin } = serving as ServingProject
  const list = await ask('GET', '/api/articles/?is_active=true&name=first&sort=name')
  expect(list.body).toMatchObject({ count: 1, items: [first] })
  expect(await ask('GET', '/api/docs')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  const document = await ask('GET', '/api/openapi.json')
  expect(document.body).toMatchObject({ info: { title, version: '0.1.0' } })
  const home = await fetch(`${origin}/`, { redirect: 'manual' })
  expect([home.status, home.headers.get('location')]).toEqual([302, '/api/docs'])
  expect(await ask('POST', '/api/articles/', { name: '...' })).toMatchObject({
    status: 400,
    body: { code: 'rejected' },
  })
  expect((await ask('GET', '/api/whoami')).body).toEqual({ id: null })
  const renamed = await ask('PATCH', '/api/articles/1', { name: 'Second article' })
  expect(renamed.body).toMatchObject({ slug: 'second-article', is_active: true })
  expect(await ask('GET', '/api/users/')).toMatchObject({ status: 404 })
})

test('errors of its own routes are problem documents', async () => {
  const written = project.read('src/api.ts')
  const failing =
    "app.get('/failing', () => { throw Object.assign(new Error('Not yet.'), { statusCode: 409 }) })"
  project.change('src/api.ts', (text) =>
    text.replace('  await rest.init()', `  ${failing}\n  await rest.init()`),
  )
  const { ask } = await restart()
  expect(await ask('GET', '/api/failing')).toMatchObject({
    ...{ status: 409, type: 'application/problem+json' },
    body: { code: 'conflict', detail: 'Not yet.' },
  })
  project.change('src/api.ts', () => written)
  await restart()
})

test('it compiles, and the commands load it', async () => {
  await project.run('npm run typecheck')
  const routes = await project.run('npm run --silent routes')
  expect(routes).toMatch(/^PATCH +\/api\/articles\/\{id\} /m)
  expect(routes).toMatch(/^GET +\/api\/whoami /m)
  const check = await project.run('npm run --silent check')
  expect(check).toMatch(naming(1, 8, '/api', 'auth: false', 'controllers/'))
  expect(check).not.toMatch(/warn/i)
})

test('its tests pass, and leave its database alone', async () => {
  const before = (await (serving as ServingProject).ask('GET', '/api/articles/')).body['count']
  const told = await project.run('npm test')
  expect(told).toMatch(/pass 2$/m)
  expect(told).not.toContain('"level"')
  expect((await (serving as ServingProject).ask('GET', '/api/articles/')).body['count']).toBe(before)
  expect(existsSync(join(project.path, ':memory:'))).toBe(false)
})

test('its tests pass with login too', async () => {
  const protectedProject = projectAt(join(folder.path, 'protected'))
  cpSync(project.path, protectedProject.path, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  })
  symlinkSync(join(project.path, 'node_modules'), join(protectedProject.path, 'node_modules'))
  protectedProject.change('src/settings.ts', (text) => text.replace('auth: false,', 'auth: true,'))
  const { ask, stop } = await serve(protectedProject, `${program('node')} src/server.ts`)
  try {
    expect((await ask('POST', '/api/articles/', first)).status).toBe(401)
  } finally {
    await stop()
  }
  expect(await protectedProject.run('npm test')).toMatch(/pass 2$/m)
})

test('its logs can be read in development, and say where it listens and where the documentation is', () => {
  const { written, origin } = serving as ServingProject
  const { port } = new URL(origin)
  const lines = written().split('\n')
  for (const path of ['/api/', '/api/docs'])
    expect(lines.filter((line) => line.endsWith(`http://127.0.0.1:${port}${path}`))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('{'))).toEqual([])
})

test('the commands leave the database as it is, and the server migrates it', async () => {
  const file = join(folder.path, 'fresh/app.db')
  const tables = (): readonly unknown[] => {
    const database = new Database(file)
    const found = database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    database.close()
    return found
  }
  const run = (line: string) => project.run(`DATABASE=${file} ${line}`)
  const modelrest = 'node_modules/.bin/node node_modules/.bin/modelrest'
  expect(await run(`${modelrest} routes`)).toContain('/api/articles/{id}')
  expect(await run(`${modelrest} openapi`)).toContain('"openapi"')
  await expect(run(`${modelrest} check`)).rejects.toThrow(naming('Article'))
  expect(tables()).toEqual([])
  const fresh = await serve(project, 'npm start', { DATABASE: file })
  await fresh.stop()
  expect(tables()).toEqual(expect.arrayContaining(['articles', 'users']))
  await run(`${modelrest} check`)
})

test('its types know its models', async () => {
  project.change('src/controllers/article.ts', (text) =>
    text.replace('slugOf(payload.name)', 'slugOf(payload.nam)'),
  )
  await expect(project.run('npm run typecheck')).rejects.toThrow("Property 'nam' does not exist")
  project.change('src/controllers/article.ts', (text) =>
    text.replace('slugOf(payload.nam)', 'slugOf(payload.name)'),
  )
})

describe('each comment of settings.ts that is code works when it is switched on', () => {
  const commented = commentedParts(
    readFileSync('src/cli/templates/common/src/settings.ts', 'utf8')
      .replaceAll('DemoItem', 'Article')
      .replaceAll('demo-item', 'article'),
  )

  test('there are some', () => {
    expect(commented.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['description', 'exclude', 'customSchemas', 'controllers', 'auth']),
    )
    expect(commented.length).toBeGreaterThan(12)
  })

  test('for the compiler', async () => {
    const before = project.read('src/settings.ts')
    for (const { name, on } of commented) writeFileSync(join(project.path, `src/on-${name}.ts`), on(before))
    try {
      await project.run('npm run typecheck')
    } finally {
      for (const { name } of commented) rmSync(join(project.path, `src/on-${name}.ts`))
    }
  })

  // What is excluded can have no settings of its own.
  const isExclude = ({ name }: CommentedPart) => name === 'exclude'
  test.each([
    ['exclude alone', commented.filter(isExclude), false],
    ['all others', commented.filter((part) => !isExclude(part)), false],
    ['all others, with login', commented.filter((part) => !isExclude(part)), true],
  ])('for the start: %s', async (_, parts, auth) => {
    const before = project.read('src/settings.ts')
    const text = parts.reduce(
      (settings, { on }) => on(settings),
      before.replace('auth: false', `auth: ${auth}`),
    )
    writeFileSync(join(project.path, 'src/settings.ts'), text)
    try {
      const told = await project.run('npm run --silent check -- --json')
      expect(told).toContain('{"ok":true,')
      expect(told).toMatch(auth ? naming('Article') : naming('auth: false'))
    } finally {
      writeFileSync(join(project.path, 'src/settings.ts'), before)
    }
  })
})

test('its migrations are what its models say, and a change of these is another one', async () => {
  expect(await project.run('npm run migrate:generate')).toContain('No schema changes')
  project.change('src/models.ts', (text) =>
    text
      .replace("from 'drizzle-orm/sqlite-core'", "$&\nimport { image } from 'modelrest/drizzle/sqlite'")
      .replace('(unixepoch())`),\n})', '(unixepoch())`),\n  picture: image(),\n})'),
  )
  await project.run('npm run migrate:generate')
  // What has been serving all the time starts again by itself.
  const { ask, written } = serving as ServingProject
  await expect.poll(() => written().split('/api/docs\n').length, { timeout: 60_000 }).toBeGreaterThan(2)
  const form = new FormData()
  form.set('name', 'Lamps')
  form.set('picture', new Blob([samples.png], { type: 'image/png' }), 'lamp.png')
  await expect
    .poll(async () => (await ask('GET', '/api/articles/').catch(() => undefined))?.status, {
      timeout: 60_000,
    })
    .toBe(200)
  const created = await ask('POST', '/api/articles/', form)
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Lamps', picture: expect.stringContaining('/api/media/') },
  })
  expect(await ask('GET', String(created.body['picture']))).toMatchObject({ status: 200, type: 'image/png' })
  expect((await ask('GET', '/api/articles/')).body).toMatchObject({ count: 2 })
})

test('with auth: true, users register and log in, and nobody else gets in', async () => {
  project.change('src/settings.ts', (text) => text.replace('auth: false', 'auth: true'))
  project.change('src/settings.ts', (text) => text.replace('// User: {', 'User: {'))
  const { ask } = await restart()
  expect(await ask('GET', '/api/articles/')).toMatchObject({ status: 401 })
  const ada = { email: 'ada@example.com', password: 'a lamp for every desk' }
  expect(await ask('POST', '/api/auth/register', ada)).toMatchObject({ status: 201 })
  const { status, body } = await ask('POST', '/api/auth/login', ada)
  expect(status).toBe(200)
  const token = String(body['access'])
  expect((await ask('GET', '/api/articles/', undefined, token)).body).toMatchObject({ count: 2 })
  expect((await ask('GET', '/api/users/', undefined, token)).body).toMatchObject({
    items: [{ email: ada.email }],
  })
})

test('a clone, which has no .env, is told what to do, and serves then', async () => {
  const before = project.read('.env')
  rmSync(join(project.path, '.env'))
  await expect(project.run('npm run --silent check')).rejects.toThrow(
    naming('cp .env.example .env', 'SECRET_KEY'),
  )
  await expect(project.run('npm start')).rejects.toThrow(naming('cp .env.example .env', 'SECRET_KEY'))
  await project.run('cp .env.example .env')
  project.change('.env', (text) => text.replace(/^SECRET_KEY=$/m, `SECRET_KEY=${'x'.repeat(64)}`))
  const { ask } = await restart()
  const grace = { email: 'grace@example.com', password: 'a lamp for every ship' }
  expect(await ask('POST', '/api/auth/register', grace)).toMatchObject({ status: 201 })
  writeFileSync(join(project.path, '.env'), before)
})

test('the database is closed when it ends', async () => {
  await serving?.stop()
  // SQLite removes its log with the last connection.
  expect(readdirSync(join(project.path, 'data'))).toEqual(['app.db'])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a request that is under way at %s gets its answer',
  async (signal) => {
    const { child, origin } = await restart('node_modules/.bin/node src/server.ts', {
      NODE_ENV: 'production',
    })
    const ended = once(child, 'exit')
    const headers = { 'content-type': 'application/json' }
    // It keeps its connection, as clients do.
    const login = request(`${origin}/api/auth/login`, {
      method: 'POST',
      headers,
      agent: new Agent({ keepAlive: true }),
    })
    const answered = once(login, 'response')
    login.write('{"email":"ada@example.com",')
    await once(login, 'socket')
    // This one comes after it, so it has arrived by then.
    await fetch(`${origin}/api/health/ready`)
    child.kill(signal)
    const look = () =>
      fetch(`${origin}/api/health/ready`).then(
        () => 'serves',
        () => 'refuses',
      )
    await expect.poll(look, { timeout: 60_000 }).toBe('refuses')
    login.end('"password":"a lamp for every desk"}')
    const [{ statusCode }] = (await answered) as [IncomingMessage]
    expect(statusCode).toBe(200)
    expect(await ended).toEqual([0, null])
  },
)

test('npm start passes SIGTERM on, and logs JSON in production', async () => {
  const { child, origin, written } = await restart('npm start', { NODE_ENV: 'production' })
  const ended = once(child, 'exit')
  const begun = performance.now()
  child.kill('SIGTERM')
  await ended
  const look = () =>
    fetch(origin).then(
      () => 'serves',
      () => 'gone',
    )
  await expect.poll(look, { timeout: 5000 }).toBe('gone')
  expect(performance.now() - begun).toBeLessThan(5000)
  const lines = written()
    .split('\n')
    .filter((line) => line !== '' && !/^(> |npm )/.test(line))
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
})

test('a change is served after the editor has replaced the file', async () => {
  const { ask } = await restart()
  const file = join(project.path, 'src/api.ts')
  const before = project.read('src/api.ts')
  try {
    for (const round of [1, 2]) {
      writeFileSync(`${file}~`, before.replace('caller?.id ?? null', `caller?.id ?? ${round}`))
      renameSync(`${file}~`, file)
      const served = () =>
        ask('GET', '/api/whoami').then(
          ({ body }) => body['id'],
          () => undefined,
        )
      await expect.poll(served, { timeout: 30_000, interval: 200 }).toBe(round)
    }
  } finally {
    writeFileSync(file, before)
  }
})

test('a port that is taken is told in a sentence', async () => {
  const { origin } = await restart('npm start')
  const port = new URL(origin).port
  await expect(project.run(`PORT=${port} node_modules/.bin/node src/server.ts`)).rejects.toThrow(
    naming(port, 'PORT', '.env'),
  )
  await expect(project.run('PORT=many node_modules/.bin/node src/server.ts')).rejects.toThrow(
    naming('PORT', 65_535, '"many"'),
  )
})

test('what the Dockerfile copies is enough to install a tarball that lies in the project', async () => {
  const name = basename(tarball)
  copyFileSync(tarball, join(project.path, name))
  project.change('package.json', (text) => text.replace(`file:${tarball}`, `file:${name}`))
  await project.run('npm install --package-lock-only')
  const image = join(folder.path, 'image')
  mkdirSync(image)
  const [, copied = ''] = /^COPY (package\.json .*) \.\/$/m.exec(project.read('Dockerfile')) ?? []
  await project.run(`cp ${copied} ${image}`)
  await succeed('npm ci --omit=dev', image, withNode)
  expect(existsSync(join(image, 'node_modules/modelrest/package.json'))).toBe(true)
})
