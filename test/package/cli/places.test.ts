import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { type Folder, folderWithPackage, packedCommand } from '../folders.ts'
import { installed } from '../installed.ts'
import { shell } from '../shell.ts'
import { modelrest } from './modelrest.ts'

const models = `import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
export const models = drizzleModels(drizzle(':memory:'), { products })
`
const plugin = `import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
export const api = async (app) => { await new ModelRest(app, { models }).init() }
`
const application = `import Fastify from 'fastify'
import { api } from './api.ts'
export const app = Fastify()
app.register(api, { prefix: '/v1' })
`
const fetching = `import { ModelRest, fetchApp } from 'modelrest/fetch'
import { models } from './models.ts'
const app = fetchApp({ base: '/fetched' })
await new ModelRest(app, { models }).init()
`

interface Document {
  readonly paths: object
  readonly servers?: readonly { readonly url: string }[]
}

let folder: Folder
beforeAll(() => {
  folder = folderWithPackage(inject('unpacked'), {
    'models.ts': models,
    ...{ 'plugin/api.ts': plugin, 'plugin/models.ts': models },
    ...{ 'both/api.ts': plugin, 'both/models.ts': models, 'both/app.ts': application },
    ...{ 'listens/api.ts': plugin, 'listens/models.ts': models },
    'listens/app.ts': `${application}await app.listen({ port: 1 })\n`,
    ...{ 'beside/api.ts': `import '../named.ts'\n${plugin}`, 'beside/models.ts': models },
    ...{ 'beside-app/api.ts': `import '../named.ts'\n${plugin}`, 'beside-app/models.ts': models },
    'beside-app/app.ts': application,
    'object.ts': `${fetching}export default { fetch: app.fetch }\n`,
    'function.ts': `${fetching}export default app.fetch\n`,
    'named.ts': `${fetching}export const api = app.fetch\n`,
    'lazy.ts': 'export default { fetch: () => new Response() }\n',
    'lazy-function.ts': 'export default () => new Response()\n',
  })
})
afterAll(() => folder.remove())

const pathsOf = async (at: string, ...words: string[]): Promise<readonly string[]> => {
  const { code, output, out } = await shell(
    `${process.execPath} ${packedCommand(folder.path)} openapi ${words.join(' ')}`,
    join(folder.path, at),
  )
  expect([code, code === 0 ? '' : output]).toEqual([0, ''])
  const { paths, servers } = JSON.parse(out) as Document
  return Object.keys(paths).map((path) => (servers?.[0]?.url ?? '').replace(/\/$/, '') + path)
}

describe('a plugin', () => {
  test('has the prefix with which app.ts beside it registers it', async () => {
    expect(await pathsOf('both')).toContain('/v1/products/')
    expect(await pathsOf('listens')).toContain('/v1/products/')
  })

  test('has no prefix without app.ts, or if it is asked for by name', async () => {
    expect(await pathsOf('plugin')).toContain('/products/')
    expect(await pathsOf('both', '--api-module', 'api.ts')).toContain('/products/')
  })
})

test('a plugin is taken for one, whatever a module that it imports has made', async () => {
  expect(await pathsOf('beside')).toEqual(expect.arrayContaining(['/products/']))
  expect(await pathsOf('beside-app')).toContain('/v1/products/')
})

describe('without --api-module', () => {
  const server = `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
const app = Fastify()
await new ModelRest(app, { models, health: true }).init()
console.log(await app.listen({ port: 1 }))
`
  const unrelated = "throw new Error('This file is not about an API.')\n"

  // The command waits a second for each, which listens.
  test.concurrent.each([
    ['the server of the quick start', { 'server.ts': server, 'models.ts': models, 'app.ts': unrelated }],
    ['an application in src', { 'src/app.ts': server, 'src/models.ts': models, 'server.ts': unrelated }],
    [
      'api.ts before others',
      { 'api.ts': server, 'models.ts': models, 'app.ts': `${unrelated}// new ModelRest` },
    ],
  ])('finds %s', async (_what, files) => {
    const project = folderWithPackage(inject('unpacked'), files)
    const { out, err } = await modelrest(project.path, ['routes'])
    project.remove()
    expect(out, err).toMatch(/^GET +\/products\/ +listProducts /m)
    expect(out).toMatch(/^GET +\/docs +getDocs +- /m)
    expect(out).toMatch(/^GET +\/health\/ready +getHealthReady +- /m)
  })

  test('names the files that create a ModelRest', async () => {
    const project = folderWithPackage(inject('unpacked'), {
      ...{ 'server.ts': unrelated, 'src/main.ts': server, 'web.mjs': server, 'notes.txt': 'new ModelRest' },
    })
    const { code, err } = await modelrest(project.path, ['check'])
    project.remove()
    expect(code).toBe(2)
    expect(err).toMatch(naming('--api-module ./web.mjs or ./src/main.ts'))
    expect(err).not.toContain('notes.txt')
  })

  test('names no file if there is none', async () => {
    const project = folderWithPackage(inject('unpacked'))
    const { code, err } = await modelrest(project.path, ['check'])
    project.remove()
    expect(code).toBe(2)
    expect(err).toMatch(naming('api.ts', 'app.ts', 'server.ts', '--api-module'))
  })
})

describe('an export that handles requests', () => {
  test.each(['object.ts', 'function.ts', 'named.ts'])(
    '%s stands for the generator of its file',
    async (file) => {
      expect(await pathsOf('.', '--api-module', file)).toContain('/fetched/products/')
    },
  )

  test.each(['lazy.ts', 'lazy-function.ts'])('%s makes none, and is refused', async (file) => {
    const { code, err } = await modelrest(folder.path, ['openapi', '--api-module', file])
    expect([code, err]).toEqual([2, expect.stringMatching(naming(file, 'ModelRest', 'export const api'))])
  })
})

test('a peer that is missing is named with the command that installs it', async () => {
  const empty = installed([], {
    'package.json': '{ "type": "module" }',
    'api.ts': `import { drizzleModels } from 'modelrest/drizzle'\nexport const api = drizzleModels\n`,
    'own.ts': `import 'mysql2/promise'\nexport const api = 1\n`,
    'common.cjs': `require('better-sqlite3')\n`,
    's3.ts': `import { s3Storage } from 'modelrest/s3'\nexport const api = s3Storage\n`,
  })
  try {
    const start = await modelrest(empty.path, ['check'])
    expect(start).toMatchObject({
      code: 1,
      err: expect.stringMatching(naming('api.ts', 'npm install drizzle-orm')),
    })
    expect(start.err).not.toContain('tsx')
    for (const [file, driver] of [
      ['own.ts', 'mysql2'],
      ['common.cjs', 'better-sqlite3'],
    ] as const) {
      const { code, err } = await modelrest(empty.path, ['check', '--api-module', file])
      expect([code, err]).toEqual([1, expect.stringMatching(naming(file, `npm install ${driver}`))])
      expect(err).not.toMatch(/\n {4}at |tsx/)
    }
    const s3 = await modelrest(empty.path, ['check', '--api-module', 's3.ts'])
    expect(s3).toMatchObject({ code: 1, err: expect.stringMatching(/npm install @aws-sdk\/[\w-]+/) })
  } finally {
    empty.remove()
  }
})
