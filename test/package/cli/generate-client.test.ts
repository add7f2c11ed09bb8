import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { languages } from '../../../src/cli/client/languages.ts'
import { onRealGenerator } from '../../cli/real-generator.ts'
import { naming } from '../../naming.ts'
import { fencedBlocks } from '../../readme/fenced-blocks.ts'
import { tableUnder } from '../../structure/markdown-table.ts'
import { type Folder, folderWithPackage, program, writeAll } from '../folders.ts'
import { succeed } from '../shell.ts'
import { strictConfig } from '../strict-config.ts'
import { modelrest, type Told } from './modelrest.ts'

const page = readFileSync('docs/clients.md', 'utf8')
const blocks = fencedBlocks(page)

/** An application as they are: it holds a database and a timer, prints, and listens. */
const modules = {
  'models.ts': `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
const client = new Database('shop.db')
setInterval(() => undefined, 1000)
const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
export const models = drizzleModels(drizzle({ client }), { products })
`,
  'settings.ts': `process.env['TITLE'] = 'By settings'\nexport {}\n`,
  'api.ts': `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
console.log('this application prints')
const app = Fastify({ logger: true })
export const api: ModelRest = new ModelRest(app, { models, openapi: { title: process.env['TITLE'] ?? 'Shop' } })
export const shop = api
await api.init()
await app.listen({ port: 1 })
`,
  'quiet.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'
import { models } from './models.ts'
export const api = new ModelRest(fetchApp(), { models })
`,
  'broken.ts': `throw new Error('No configuration here.')\nexport {}\n`,
}

let folder: Folder
beforeAll(() => {
  folder = folderWithPackage(inject('unpacked'), modules)
})
afterAll(() => folder.remove())

const run = (line: string): Promise<Told> => {
  expect(line).toMatch(/^npx modelrest /)
  return modelrest(folder.path, line.split(' ').slice(2), {
    OPENAPI_GENERATOR_JAR: process.env['OPENAPI_GENERATOR_JAR'] ?? '',
  })
}

describe('typescript-types', () => {
  test('come from the project, without its server, and compile as docs/clients.md says', async () => {
    const [first = ''] = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))
    expect(first).toBe('npx modelrest generate-client typescript-types')
    const { code, out, err } = await run(first)
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(naming('typescript-types', 'openapi-typescript 7.13.0')),
    ])
    expect(out.split('\n')).toEqual([
      expect.stringMatching(naming('./client', 'typescript-types', 1, 'openapi-typescript 7.13.0')),
      '',
    ])
    const [source = ''] = blocks.flatMap(({ language, text }) => (language === 'typescript' ? text : []))
    writeAll(folder.path, {
      'program.ts': source,
      'program.json': JSON.stringify({
        compilerOptions: { ...strictConfig, skipLibCheck: true, types: [], allowImportingTsExtensions: true },
        include: ['program.ts'],
      }),
    })
    await succeed(`'${program('tsc')}' -p program.json --noEmit`, folder.path)
  })

  test('leave the client alone where the project does not load', async () => {
    const before = readFileSync(join(folder.path, 'client/schema.d.ts'), 'utf8')
    const { code, out, err } = await run(
      'npx modelrest generate-client typescript-types --api-module broken.ts',
    )
    expect(err).toMatch(naming('broken.ts', 'No configuration here.'))
    expect([code, out]).toEqual([1, ''])
    expect(readFileSync(join(folder.path, 'client/schema.d.ts'), 'utf8')).toBe(before)
    const named = await run(
      'npx modelrest generate-client typescript-types --api-module quiet.ts --api-var apy --output other',
    )
    expect([named.code, named.err]).toEqual([
      2,
      expect.stringMatching(naming('quiet.ts', 'apy', '--api-var api')),
    ])
    expect(existsSync(join(folder.path, 'other'))).toBe(false)
  })
})

onRealGenerator('generate-client of a project', () => {
  test('the commands of docs/clients.md do what it says', async () => {
    expect(await run('npx modelrest openapi --output openapi.json')).toMatchObject({ code: 0 })
    const [commands] = blocks.filter(({ language }) => language === 'sh')
    const [, ...lines] = commands?.text.split('\n') ?? []
    expect(lines).toHaveLength(2)
    for (const line of lines)
      expect([line, await run(line)]).toEqual([line, expect.objectContaining({ code: 0 })])
    expect(existsSync(join(folder.path, 'clients/python/shop_client/api/product_api.py'))).toBe(true)
    expect(existsSync(join(folder.path, 'clients/go/api_product.go'))).toBe(true)
  })

  test('settings are imported before, and another export is taken', async () => {
    const line =
      'npx modelrest generate-client ruby --settings settings.ts --api-var shop --output ruby --json'
    const { code, out, err } = await run(line)
    expect([code, err]).toEqual([0, expect.any(String)])
    expect(JSON.parse(out)).toMatchObject({ folder: join(folder.path, 'ruby'), language: 'ruby' })
    expect(readFileSync(join(folder.path, 'ruby/README.md'), 'utf8')).toContain('By settings')
  })
})

describe('docs/clients.md', () => {
  test('has the languages as they are', () => {
    const rows = Object.entries(languages).map(([name, { makes, tool, properties = {} }]) => {
      const settings = Object.entries(properties)
      return [
        ...[`\`${name}\``, tool, makes],
        settings.map(([setting, value]) => `\`${setting}=${value}\``).join(', '),
      ]
    })
    expect(tableUnder(page, 'Languages')).toEqual(rows)
  })

  test('has every option, and its default', async () => {
    const { out } = await run('npx modelrest generate-client --help')
    const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].flatMap(([, name]) => name ?? [])
    expect(options.length).toBeGreaterThan(8)
    for (const option of options.filter((name) => name !== '--help'))
      expect(page).toContain(`\`${option}`.replace('`--output', '`-o, --output'))
    for (const name of Object.keys(languages)) expect(out).toMatch(new RegExp(`^ {2}${name} {2}`, 'm'))
  })
})
