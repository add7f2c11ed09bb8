import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { naming } from '../naming.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { serving } from '../readme/server.ts'
import { type Files, type Folder, folderWithPackage, program } from './folders.ts'
import { start } from './in-process.ts'
import { shell, succeed } from './shell.ts'

const blocks = fencedBlocks(readFileSync('docs/controllers.md', 'utf8'))

/** Blocks of the page by the file that they name. */
const files = (...names: readonly string[]): Files =>
  Object.fromEntries(
    names.map((name) => {
      const block = blocks.find(({ file }) => file === name)
      if (block === undefined) throw new Error(`docs/controllers.md has no block ${name}.`)
      return [name, `${block.text}\n`]
    }),
  )

const project = (written: Files): Folder => {
  const folder = folderWithPackage(inject('unpacked'), written)
  onTestFinished(folder.remove)
  const database = new Database(join(folder.path, 'shop.db'))
  database.exec('create table products (id integer primary key, name text not null)')
  database.close()
  return folder
}

/** Starts the application. Gives what it wrote while it started, and a way to create a product. */
const started = async (path: string, file: string, model = 'products') => {
  const { origin, err, close } = await start(path, file)
  onTestFinished(close)
  return { create: creating(`${origin}/${model}/`), err }
}

/** The same with a loader, which a process has from its start. */
const startedWith = async (loader: string, path: string, file: string) => {
  const { origin, written, stop } = await serving(
    `${program('node')} --import ${loader} ${file}`,
    path,
    '/products/',
  )
  onTestFinished(stop)
  return { create: creating(`${origin}/products/`), err: written() }
}

const creating =
  (url: string) =>
  async (name: string): Promise<readonly [number, unknown]> => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name }) })
    return [reply.status, await reply.json()]
  }

const compiled = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
    rewriteRelativeImportExtensions: true,
  },
  exclude: ['dist'],
})

const app = ['models.ts', 'server.ts']
const registered = ['models', 'server', 'named', 'controllers/product'].map((name) => `registered/${name}.ts`)
const decorated = files(...app, 'controllers/product-decorated.ts')

describe('docs/controllers.md', () => {
  test('configures a model in its controller', async () => {
    const { path } = project(files(...app, 'controllers/product-configured.ts'))
    const { create } = await started(path, 'server.ts', 'goods')
    expect(await create('  Lamp ')).toEqual([201, { id: 1, name: 'lamp' }])
    expect(await create('ab')).toMatchObject([422, {}])
  })

  test('has no example that is not run here', () => {
    // Those of scopes and of access are run by a test of their own.
    const named = blocks
      .filter(({ language, file }) => language === 'ts' && !/^(?:tenants|export|access)\//.test(file ?? ''))
      .map(({ file }) => file)
    expect(named.toSorted()).toEqual(
      [
        ...app,
        ...registered,
        'given.ts',
        'trimmed.ts',
        ...controllers.map((name) => `controllers/${name}.ts`),
      ].toSorted(),
    )
  })

  test.each([
    ['the first example', files(...app, 'controllers/product.ts'), 'server.ts'],
    ['the class', files(...app, 'controllers/product-class.ts'), 'server.ts'],
    ['the base class', files(...app, 'trimmed.ts', 'controllers/product-trimmed.ts'), 'server.ts'],
    ['the decorator, through a loader', decorated, 'server.ts', 'tsx'],
    ['the decorator, compiled', { ...decorated, 'tsconfig.json': compiled }, 'dist/server.js'],
    ['the registered one', files(...registered), 'registered/server.ts'],
    ['controllers given by hand', files('models.ts', 'given.ts', 'controllers/product.ts'), 'given.ts'],
  ])('%s does what the page says', async (_, written, file, loader = '') => {
    const { path } = project(written)
    if ('tsconfig.json' in written) await succeed(`${program('tsc')} -p .`, path)
    const { create, err } = await (loader === '' ? started(path, file) : startedWith(loader, path, file))
    expect(await create(' Lamp ')).toEqual([201, { id: 1, name: 'Lamp' }])
    expect(await create('a forbidden thing')).toMatchObject([
      400,
      { code: 'rejected', detail: 'The name contains a forbidden word.' },
    ])
    const place = file === 'given.ts' ? [] : ['controllers/']
    expect(err.split('\n')).toContainEqual(expect.stringMatching(naming('controllers', 1, ...place)))
  })
})

const controllers = ['product', 'product-class', 'product-configured', 'product-decorated', 'product-trimmed']

test('controllers work under Vitest, inlined and given by hand', async () => {
  const testing = (more: string): string => `import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzleModels } from 'modelrest/drizzle'
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { expect, test } from 'vitest'
import { ProductController } from './controllers/product.ts'
import * as shop from './models.ts'

test('a product', async () => {
  const app = fetchApp()
  await new ModelRest(app, { models: drizzleModels(drizzle('shop.db'), { shop })${more} }).init()
  const headers = { 'content-type': 'application/json' }
  const request = new Request('http://host/products/', { method: 'POST', headers, body: '{"name":" Lamp "}' })
  expect(await (await app.fetch(request)).json()).toMatchObject({ name: 'Lamp' })
})
`
  const { path } = project({
    ...files('models.ts', 'controllers/product.ts'),
    'inlined.test.ts': testing(''),
    'given.test.ts': testing(', controllers: [ProductController]'),
    'vitest.config.js': `const inlined = { include: ['inlined.test.ts'], server: { deps: { inline: ['modelrest'] } } }
export default { test: { projects: [{ test: inlined }, { test: { name: 'given', include: ['given.test.ts'] } }] } }`,
  })
  const { code, output } = await shell(
    `${program('node')} ${program('vitest')} run --root . --no-color`,
    path,
  )
  expect(output).toContain('2 passed')
  expect(code).toBe(0)
})
