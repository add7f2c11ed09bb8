import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { naming } from '../../naming.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'
import { emptyFolder, type Folder, program } from '../folders.ts'
import { install, packagesOf } from '../installed.ts'
import { shell, succeed } from '../shell.ts'
import { type Project, projectAt, serve, withNode } from './project.ts'

const first = { name: 'First blog post', description: 'Word for word.' }

/** A project on the packed modelrest, with all that it depends on. */
const makeProject = async (folder: string, database: string): Promise<Project> => {
  const line = `${program('node')} ${resolve('dist/cli/main.js')} init my-desk --database ${database} --model blog-post`
  expect(await succeed(line, folder)).toMatch(naming('npm install', 'docker run', 'npm run dev', 'npm test'))
  const project = projectAt(join(folder, 'my-desk'))
  install(project.path, packagesOf(project.read('package.json')))
  return project
}

/** Two processes begin on an empty database at once: one migrates it, and both serve. */
const servesFrom = async (project: Project, url: string): Promise<void> => {
  const env = { DATABASE_URL: url }
  const line = 'node_modules/.bin/node src/server.ts'
  const servers = await Promise.all([serve(project, line, env), serve(project, line, env)])
  const [one, other] = servers
  try {
    const created = await one.ask('POST', '/api/blog-posts/', first)
    expect(created).toMatchObject({
      status: 201,
      body: { ...first, slug: 'first-blog-post', is_active: true },
    })
    const { id } = created.body
    const read = await other.ask('GET', `/api/blog-posts/${String(id)}`)
    expect(read).toMatchObject({ status: 200, body: created.body })
    const found = await other.ask('GET', '/api/blog-posts/?is_active=true&name=first&sort=name')
    expect(found.body).toMatchObject({ count: 1 })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  expect(servers.map(({ child }) => child.exitCode)).toEqual([0, 0])
  const check = await shell('npm run --silent check', project.path, env)
  expect(check).toMatchObject({ code: 0, output: expect.stringMatching(naming('/api', 'auth: false')) })
}

/** Without a server, the start says which one and what to change, and keeps the password. */
const namesWhatIsAway = async (project: Project, url: string): Promise<void> => {
  const { code, output } = await shell('npm start', project.path, { ...withNode, DATABASE_URL: url })
  expect(code).not.toBe(0)
  expect(output).toMatch(naming('127.0.0.1:1', 'DATABASE_URL'))
  expect(output).not.toContain('pass-word')
}

const isComplete = async (project: Project): Promise<void> => {
  await project.run('npm run typecheck')
  expect(await project.run('npm run migrate:generate')).toContain('No schema changes')
}

let folder: Folder
beforeAll(() => {
  folder = emptyFolder()
})
afterAll(() => folder.remove())

onPostgres('a new project on PostgreSQL', () => {
  describe('a new project on PostgreSQL', () => {
    let project: Project
    beforeAll(async () => {
      project = await makeProject(folder.path, 'pg')
    })

    test('migrates and serves', async () => {
      const database = await createDatabase('init')
      await servesFrom(project, database.url)
      await database.drop()
    })

    test('its tests pass, without a server', async () => {
      expect(await project.run('npm test')).toMatch(/pass 2$/m)
    })

    test('compiles, and its migrations are what its models say', () => isComplete(project))

    test('names the server that is away', () =>
      namesWhatIsAway(project, 'postgres://desk:pass-word@127.0.0.1:1/my_desk'))
  })
})

describe('a new project on MySQL', () => {
  let other: Folder
  let made: Promise<Project> | undefined
  const ready = (): Promise<Project> => {
    made ??= makeProject(other.path, 'mysql')
    return made
  }
  beforeAll(() => {
    other = emptyFolder()
  })
  afterAll(() => other.remove())

  onEachMysql('a new project', (kind) => {
    test('migrates and serves', async () => {
      const database = await createMysqlDatabase('init', { kind })
      await servesFrom(await ready(), database.url)
      await database.drop()
    })

    test('its tests pass on the database that they are given', async () => {
      const project = await ready()
      const database = await createMysqlDatabase('init', { kind })
      expect(await project.run(`TEST_DATABASE_URL='${database.url}' npm test`)).toMatch(/pass 2$/m)
      await database.drop()
    })
  })

  describe('without a server', () => {
    test('its tests are skipped loudly', async () => {
      const told = await (await ready()).run('npm test')
      expect(told).toMatch(naming('NOT RUN', 'TEST_DATABASE_URL'))
      expect(told).toMatch(/pass 0$/m)
    })

    test('compiles, and its migrations are what its models say', async () => isComplete(await ready()))

    test('names the server that is away', async () =>
      namesWhatIsAway(await ready(), 'mysql://desk:pass-word@127.0.0.1:1/my_desk'))
  })
})
